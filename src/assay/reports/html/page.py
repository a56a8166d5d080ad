"""A page as one self-contained file: templates over the blocks of its sections.

- HTML comes from templates, where every value is escaped.
- Styles and scripts are the contents of files of the package, without anything of the user's in them. The
  content-security policy allows them by their digests, and nothing else: no inline handler, no `style` attribute, no
  request.
- The data of a section is embedded as `<script type="application/json" id="NAME">`. A script reads it by
  `JSON.parse(document.getElementById("NAME").textContent)` and shows text through `textContent` only.

Colours and typefaces are variables of page.css; other styles use those.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.reports.blocks import Block, Page, PageSection, SegmentView
from assay.reports.html import interactive
from assay.reports.html.figures import drawn
from assay.reports.html.names import breakable, whole
from assay.reports.html.tables import cell, table
from assay.reports.labelled import sentence
from assay.types import Note
from assay.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["asset", "blocks_html", "notebook_html", "page_html", "render"]

_HERE = Path(__file__).parent


def page_html(page: Page) -> str:
    """The whole file. The same page gives the same bytes."""
    sections = [(section, blocks_html(section.blocks)) for section in page.sections]
    has_viewer = any(isinstance(block, SegmentView) for section in page.sections for block in section.blocks)
    has_controls = any(interactive.MARK in content for _, content in sections)
    styles = ["page.css", *(["segments.css"] * has_viewer), *(["interactive.css"] * has_controls)]
    scripts = [asset("page.js")]
    if has_viewer:
        scripts.append(asset("text_diff.js") + asset("segments.js"))
    if has_controls:
        scripts.append(asset("interactive.js"))
    parts: dict[str, list[PageSection]] = {}
    for section in page.sections:
        parts.setdefault(section.part, []).append(section)
    text = render(
        "templates/page.html",
        title=page.title,
        sections=sections,
        parts=parts,
        styles=list(map(asset, styles)),
        scripts=scripts,
        library=interactive.compressed() if has_controls else "",
        policy=_policy(map(asset, styles), [*scripts, interactive.library()] if has_controls else scripts),
        version=__version__,
    )
    return f"{text}\n"


def notebook_html(blocks: Iterable[Block]) -> str:
    """Blocks as notebooks show them, in the colours of the notebook. The style holds for them alone."""
    return str(render("templates/notebook.html", style=asset("notebook.css"), content=blocks_html(blocks)))


def blocks_html(blocks: Iterable[Block]) -> Markup:
    """Blocks below each other."""
    from markupsafe import Markup

    content: str = _environment().get_template("templates/blocks.html").module.blocks(blocks)  # type: ignore[attr-defined]
    return Markup(content)  # noqa: S704 - escaped by the template


def render(template: str, **values: Any) -> Markup:
    """A template of the package, filled in. All values are escaped."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(**values))  # noqa: S704 - escaped by the template


def asset(name: str) -> str:
    """The content of a style or script of the package, e.g. `segments.js`."""
    return (_HERE / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"breakable": breakable, "whole": whole}
    environment.globals |= {
        "cell_of": cell,
        "drawn": drawn,
        "json_block": _json_block,
        "kind_of": lambda block: type(block).__name__,
        "note_sentence": _note_sentence,
        "table_of": table,
        "verbatim": _verbatim,
    }
    return environment


def _note_sentence(note: Note) -> str:
    """After the place that it is about, a note goes on in small letters."""
    return sentence(note.in_full, is_named=bool(note.place))


def _json_block(name: str, value: Any) -> Markup:
    """Data for a script. No character that could end the element is left in it."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    named = Markup(' id="{}"').format(name) if name else ""
    return Markup('<script type="application/json"{}>{}</script>').format(named, Markup(text))  # noqa: S704


def _verbatim(content: str) -> Markup:
    """A style or script of the package, as it is."""
    from markupsafe import Markup

    return Markup(content)  # noqa: S704 - a file of the package


def _policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Nothing is allowed but the styles and scripts of the page: no request, no frame, no form, no inline code."""
    return (
        f"default-src 'none'; style-src {_digests(styles)}; script-src {_digests(scripts)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _digests(contents: Iterable[str]) -> str:
    hashes = (base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)
