"""`assay completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from assay.console import show

__all__ = ["command"]

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print a script for completion in bash, zsh or fish.

    With it the SHELL completes commands, options, metrics and files.

    \b
    bash: echo 'eval "$(assay completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(assay completion zsh)"' >> ~/.zshrc
    fish: assay completion fish > ~/.config/fish/completions/assay.fish
    """
    from assay.cli import cli
    from assay.errors import MissingExtraError

    found = get_completion_class(shell)
    if found is None:
        raise MissingExtraError(f"this version of click cannot complete for {shell}", hint="pip install -U click")
    try:
        script = found(cli, {}, "assay", "_ASSAY_COMPLETE").source()
    except RuntimeError as error:  # click looks whether the installed bash is new enough
        raise MissingExtraError(str(error)) from error
    show(script + "\n")
