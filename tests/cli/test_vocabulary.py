"""One word, one meaning: every option of every command is in the vocabulary, and says there what it is."""

import dataclasses
import importlib
import inspect
import re

import click
import pytest

from adjudge.cli import commands
from adjudge.cli._options import FieldOption
from adjudge.cli._run import OF_THE_RUN
from adjudge.cli._vocabulary import ON_AND_OFF, VARYING, WORDS


def walk(command, context, path=()):
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    for name in command.list_commands(context):
        own = command.get_command(context, name)
        yield from walk(own, click.Context(own, parent=context), (*path, name))


COMMANDS = dict(walk(commands, click.Context(commands)))
OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]
NAMES = {"name": "text", "numbers": "number"}
"""Kinds of values that are texts or numbers all the same: one of a few names, numbers with commas between them."""
SACREBLEU = ("sacrebleu",)
"""The command line of another program, as it is."""


def spelling(option):
    return option.opts[-1].removeprefix("--")


def default_of(option):
    value = option.get_default(click.Context(COMMANDS["score"]))
    return None if value is click.core.UNSET else value


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_means_what_the_vocabulary_says(command):
    for option in (own for name, own in OPTIONS if name == command):
        word = WORDS[spelling(option)]
        assert option.help.startswith(word.meaning)
        assert option.opts[:-1] == ([f"-{word.letter}"] if word.letter else [])
        assert option.is_flag == (not word.value)
        assert option.secondary_opts == (
            [f"--no-{spelling(option)}"] if spelling(option) in ON_AND_OFF else []
        )


@pytest.mark.parametrize("word", sorted({spelling(option) for _, option in OPTIONS}))
def test_a_word_takes_one_kind_of_value_and_has_one_default(word):
    own = {name: option for name, option in OPTIONS if spelling(option) == word}
    kinds = {NAMES.get(option.type.name, option.type.name) for option in own.values()}
    assert len(kinds) == 1, kinds
    assert len({tuple(option.opts) for option in own.values()}) == 1
    if word not in VARYING:
        given = {default_of(option) for option in own.values()} - {None, (), ""}
        assert len(given) <= 1, {name: default_of(option) for name, option in own.items()}


def test_every_word_is_used():
    assert {spelling(option) for _, option in OPTIONS} | {"version"} == set(WORDS)
    assert set(WORDS) >= VARYING


def test_a_word_has_one_letter():
    letters = [word.letter for word in WORDS.values() if word.letter]
    shared = {letter for letter in letters if letters.count(letter) > 1}
    assert shared == {"m"}  # what is measured by, estimated by, or learned from: a metric, a model, a feature


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in SACREBLEU])
def test_options_and_arguments_in_python_are_the_same(command):
    function = COMMANDS[command].callback
    parameters = inspect.signature(function).parameters.values()
    named = {parameter.name for parameter in parameters if parameter.kind != inspect.Parameter.VAR_KEYWORD}
    options = {own.name for own in COMMANDS[command].params if own.expose_value}
    assert "run" in named
    assert named - {"run"} <= options
    if len(named) == len(parameters):  # what no answer depends on is the run's
        assert {name for name in options if name not in OF_THE_RUN} <= named
    words = {own.name: spelling(own) for own in COMMANDS[command].params if isinstance(own, click.Option)}
    for name, word in words.items():
        assert name in {word.replace("-", "_"), WORDS[word].many, WORDS[word].argument}


def test_a_field_of_a_plan_is_an_option_with_its_default():
    for command, option in OPTIONS:
        if not isinstance(option, FieldOption):
            continue
        module, _, name = option.plan.partition(":")
        plan = getattr(importlib.import_module(module), name)
        fields = {field.name: field for field in dataclasses.fields(plan)}
        context = click.Context(COMMANDS[command])
        assert option.get_default(context) == fields[option.field].default
        context.resilient_parsing = True
        assert option.get_default(context) is None  # nothing is loaded while a shell completes a line


def test_meanings_are_sentences_that_a_screen_holds():
    for name, word in WORDS.items():
        assert re.match(r"[A-Z]|[a-z0-9-]+[ ,:(]", word.meaning), name
        assert word.meaning.endswith((".", "…")), name
        assert len(word.meaning.split()) <= 25, name
