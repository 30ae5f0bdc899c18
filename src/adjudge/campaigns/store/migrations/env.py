"""Alembic's entry point; connection and transaction come from the caller."""

from alembic import context

from adjudge.campaigns.store.schema import metadata

attributes = context.config.attributes
context.configure(
    connection=attributes["connection"],
    version_table=attributes["version_table"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
