"""Campaigns, their texts, the people and their answers."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    op.create_index("ix_attempts_at", "attempts", ["at"], unique=False)
    op.create_index("ix_attempts_who_at", "attempts", ["who", "at"], unique=False)
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
        sa.UniqueConstraint("name", name=op.f("uq_campaigns_name")),
    )
    op.create_table(
        "one_time_links",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_links")),
    )
    op.create_table(
        "passwords",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("hash", sa.String(length=500), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_passwords")),
    )
    op.create_table(
        "actions",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_actions_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_actions")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "annotators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=True),
        sa.Column("external", sa.String(length=200), nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("withdrawn", sa.Float(), nullable=True),
        sa.Column("forgotten", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_annotators_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotators")),
        sa.UniqueConstraint("campaign", "name", name=op.f("uq_annotators_campaign_name")),
        sa.UniqueConstraint("token", name=op.f("uq_annotators_token")),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("item", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_items_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("campaign", "key", name=op.f("uq_items_campaign_key")),
    )
    op.create_table(
        "outputs",
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=200), nullable=False),
        sa.Column("run", sa.String(length=200), nullable=False),
        sa.Column("segments", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_outputs_campaign")),
        sa.UniqueConstraint("campaign", "place", name=op.f("uq_outputs_campaign_place")),
    )
    op.create_table(
        "segments",
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("references", sa.JSON(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_segments_campaign")),
        sa.UniqueConstraint("campaign", "number", name=op.f("uq_segments_campaign_number")),
    )
    op.create_table(
        "hits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("annotator", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["annotator"], ["annotators.id"], name=op.f("fk_hits_annotator")),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_hits_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hits")),
        sa.UniqueConstraint("campaign", "name", name=op.f("uq_hits_campaign_name")),
        sa.UniqueConstraint("campaign", "place", name=op.f("uq_hits_campaign_place")),
    )
    op.create_index("ix_hits_annotator", "hits", ["annotator"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("annotator", sa.Integer(), nullable=True),
        sa.Column("organiser", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["annotators.id"], name=op.f("fk_sessions_annotator")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_annotator", "sessions", ["annotator"], unique=False)
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hit", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["hit"], ["hits.id"], name=op.f("fk_tasks_hit")),
        sa.ForeignKeyConstraint(["item"], ["items.id"], name=op.f("fk_tasks_item")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("hit", "place", name=op.f("uq_tasks_hit_place")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("annotator", sa.Integer(), nullable=False),
        sa.Column("task", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("started", sa.Float(), nullable=True),
        sa.Column("received", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["annotators.id"], name=op.f("fk_events_annotator")),
        sa.ForeignKeyConstraint(["task"], ["tasks.id"], name=op.f("fk_events_task")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("annotator", "key", name=op.f("uq_events_annotator_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_task_annotator", "events", ["task", "annotator", "id"], unique=False)
