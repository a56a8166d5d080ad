"""`assay completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from assay.cli.front_page import COMPLETION_VARIABLE
from assay.console import write_stdout

__all__ = ["command"]

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print a shell completion script for bash, zsh or fish.

    The script completes commands, options, metrics and file names.

    \b
    Examples:
      bash: echo 'eval "$(assay completion bash)"' >> ~/.bashrc
      zsh:  echo 'eval "$(assay completion zsh)"' >> ~/.zshrc
      fish: assay completion fish > ~/.config/fish/completions/assay.fish
    """
    from assay.cli import cli
    from assay.errors import MissingExtraError

    completion = get_completion_class(shell)
    if completion is None:
        raise MissingExtraError(
            f"the installed version of click does not support completion for {shell}", hint="pip install -U click"
        )
    try:
        script = completion(cli, {}, "assay", COMPLETION_VARIABLE).source()
    except RuntimeError as error:  # click checks whether the installed bash is new enough
        raise MissingExtraError(str(error)) from error
    write_stdout(script + "\n")
