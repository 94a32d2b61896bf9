"""Reading a line: with completion and history in a terminal, as it comes from a pipe."""

import io
import sys
from collections.abc import Sequence

from .labels import plain

try:
    import readline
except ImportError:  # not on every platform
    readline = None


class Prompt:
    """Asks for lines. A pipe's lines are printed as they are read, so that what is said reads as a dialogue."""

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
        """One line, without the spaces around it; EOFError at the end of the input."""
        self._choices = choices
        if self.is_terminal:
            return input(prompt).strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"{prompt}{line.strip()}", flush=True)
        return line.strip()

    def complete(self, text: str, state: int) -> str | None:
        """What readline asks: the choices that begin with the text, or the only one that has it in it."""
        if state == 0:
            begins = [choice for choice in self._choices if plain(choice).startswith(plain(text))]
            within = [choice for choice in self._choices if plain(text) in plain(choice)]
            self._found = begins or (within if len(within) == 1 else [])
        return self._found[state] if state < len(self._found) else None
