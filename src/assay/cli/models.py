"""`assay models`: list models of learned metrics and encoders, and fetch them on request."""

from __future__ import annotations

import click

from assay.cli.help import Command, Group
from assay.cli.options import command_option, completion
from assay.cli.output import Output, output_options
from assay.console import print_message, terminal_runtime, write_stdout
from assay.files.known_models import known_models
from assay.files.sizes import byte_text
from assay.options.option import OUTPUT
from assay.study.fetch_models import download, fetch_models, plan_download

__all__ = ["command"]


@click.group("models", cls=Group)
def command() -> None:
    """List and fetch models of learned metrics and encoders."""


@command.command("list", cls=Command)
@output_options()
def list_all(output: Output) -> None:
    """List models: what is in the resource folder, and what can be fetched by name.

    \b
    Examples:
      assay models list
      assay models list --format json
    """
    from assay.study.list_models import list_models

    output.write(list_models())


@command.command("fetch", cls=Command, verb=fetch_models, short_help="Download models from the Hugging Face hub.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=completion(known_models))
@command_option(
    "--accept-licence",
    group=OUTPUT,
    is_flag=True,
    help="Accept licences that restrict the use of a model, such as non-commercial ones.",
)
def fetch(names: tuple[str, ...], accept_licence: bool) -> None:
    """NAME is a name in `assay models list`, or a repository, such as Unbabel/wmt22-comet-da. Nothing is downloaded
    otherwise. Licence and size are shown first. For gated models, accept the conditions on the page of the model, and
    set HF_TOKEN to your token.

    \b
    Examples:
      assay models fetch wmt22-comet-da
      assay models fetch wmt22-cometkiwi-da --accept-licence
    """
    for name in names:
        plan = plan_download(name, accept_licence=accept_licence)
        print_message("note", f"{plan.name}: {byte_text(plan.size)}, licence {plan.licence}, {plan.page}")
        with terminal_runtime() as runtime:
            folder = download(plan, runtime)
        write_stdout(f"{folder}\n")
