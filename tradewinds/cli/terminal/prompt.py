"""Reading lines of input, with completion and history in a terminal."""

import io
import sys
from collections.abc import Sequence

from .labels import plain

try:
    import readline
except ImportError:  # not on every platform
    readline = None


class Prompt:
    """Asks for lines of input. Lines from a pipe are echoed, so that the output reads as a dialogue."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty()
        self._choices: Sequence[str] = ()
        self._found: list[str] = []
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if self.is_terminal and readline is not None:
            readline.set_completer(self.complete)
            readline.set_completer_delims("")  # a name has spaces in it
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def ask(self, prompt: str, choices: Sequence[str]) -> str:
        """Read one line and strip it.

        Args:
            prompt: The text before the cursor.
            choices: The names that Tab completes.

        Raises:
            EOFError: The input has ended.
        """
        self._choices = choices
        if self.is_terminal:
            return input(prompt).strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"{prompt}{line.strip()}", flush=True)
        return line.strip()

    def complete(self, text: str, state: int) -> str | None:
        """Completer for readline: the choices that start with the text, or the only one that contains it."""
        if state == 0:
            begins = [choice for choice in self._choices if plain(choice).startswith(plain(text))]
            within = [choice for choice in self._choices if plain(text) in plain(choice)]
            self._found = begins or (within if len(within) == 1 else [])
        return self._found[state] if state < len(self._found) else None
