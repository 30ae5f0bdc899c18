"""What can go wrong, as a few kinds of exception; each carries the exit code of the command line."""

from collections.abc import Iterable


class AdjudgeError(Exception):
    """Anything adjudge refuses to do, with a message written for the person who asked."""

    exit_code = 1


class DataError(AdjudgeError):
    """The data are wrong: the message names the file, the place and the way out."""


class UnaskedProgramError(DataError):
    """A program, model or service is named by a file, not by the user, and so it is not used."""


class ProgramError(AdjudgeError):
    """Another program that was asked for something failed: the message has its last words and the way out."""


class PluginWarning(UserWarning):
    """What another package was to bring cannot be had; the message names the package."""


class UsageError(AdjudgeError):
    """The question is wrong: an unknown name, an option that does not exist or a value out of range."""

    exit_code = 2


class MissingExtraError(UsageError):
    """Something optional is not installed; the message says how to install it."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an extra that is not installed: pip install 'adjudge[{extra}]'")


class MissingResourceError(UsageError):
    """A file of language data is not on this machine; the message says where it was looked for and who has it."""


def unknown_name(kind: str, name: str, known: Iterable[str], hint: str = "") -> UsageError:
    """An error for a name nobody knows, with the nearest one that exists."""
    from difflib import get_close_matches  # late: few names are wrong

    known = sorted(known)
    nearest = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    suggestion = f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(known)}"
    return UsageError(f"unknown {kind} {name!r}; {suggestion}" + (f" ({hint})" if hint else ""))


def unasked_program(what: str, done: str = "run") -> UnaskedProgramError:
    """An error for a program, model, service or address that is not used because a file names it, not the user."""
    return UnaskedProgramError(
        f"{what} is not {done} because a file names it, not you: if you trust the file, allow it with --allow-programs"
    )
