"""`adjudge`, and `python -m adjudge`: nothing is loaded before Ctrl-C can end it quietly."""

import _signal as signal  # type: ignore[import-not-found]  # built in, where `signal` would load enum and more first
import sys


def main() -> int:
    """Run the command line; before it can answer Ctrl-C itself, and after it is done, that just ends the process."""
    # Where a parent has the signal ignored, as shells do for jobs in the background, it stays ignored.
    answered = signal.getsignal(signal.SIGINT)
    is_ours = answered is signal.default_int_handler
    if is_ours:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from adjudge import cli

    try:
        if is_ours:
            signal.signal(signal.SIGINT, answered)
        return cli.main()
    except KeyboardInterrupt:  # in the moments before and after all that main() holds
        return cli.INTERRUPTED
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
