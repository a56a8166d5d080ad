"""The names of the command line. The package imports them from here when they are first used."""

from assay.cli.group import cli as cli
from assay.cli.group import invoke as invoke
from assay.cli.group import main as main
