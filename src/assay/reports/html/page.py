"""The page: sections that build themselves from the results of a report, put into one self-contained file.

A section is a module with a function `build(report) -> Iterator[PageSection]`, named in `_SECTIONS` in the order of the
page. It yields nothing if the results have nothing for it. Types of results that it shows all of are declared in
`SHOWS`; the section "others" shows the rest. A section may bring its own style, script and data:

- `html` comes from a template (`render`), where every value is escaped.
- `style` and `script` are the contents of files of the package, without anything of the user's in them. The
  content-security policy allows them by their digests, and nothing else: no inline handler, no `style` attribute, no
  request.
- `data` is embedded as `<script type="application/json" id="NAME">`. The script reads it by
  `JSON.parse(document.getElementById("NAME").textContent)` and shows text through `textContent` only.

Colours and typefaces are variables of page.css; a section's style uses those.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from assay.reports.html import interactive
from assay.reports.html.confidential import without_texts
from assay.reports.html.names import breakable, whole
from assay.results import Result
from assay.types import Campaign
from assay.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["PageSection", "Report", "asset", "page", "render", "shown_types"]

_R = TypeVar("_R", bound=Result)
_HERE = Path(__file__).parent
_SECTIONS = (
    "sections.verdict",
    "sections.scores",
    "sections.pairs",
    "sections.notice",
    "sections.groups",
    "segments",
    "sections.examples",
    "sections.people",
    "sections.metrics",
    "sections.robustness",
    "sections.calibration",
    "sections.decisions",
    "sections.papers",
    "sections.others",
    "sections.checks",
    "sections.reproduce",
)
"""The modules of the sections, in the order of the page."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a page is made of. `texts`: source, references and outputs may be shown.

    `commands`: the command lines that made the results, as far as they are known. `campaigns`: data with the errors
    that raters marked in the outputs.
    """

    results: tuple[Result, ...]
    commands: tuple[str, ...] = ()
    texts: bool = True
    title: str = ""
    campaigns: tuple[Campaign, ...] = ()

    def of(self, kind: type[_R]) -> tuple[_R, ...]:
        """The results of one type."""
        return tuple(result for result in self.results if isinstance(result, kind))


@dataclass(frozen=True, slots=True)
class PageSection:
    """A section of the page. `id` is also its anchor."""

    id: str
    link: str
    """Its name in the list of contents."""
    heading: str
    """A question or a finding."""
    html: Markup
    lede: str = ""
    """A sentence or two below the heading."""
    eyebrow: str = ""
    """A line above the heading: what all of it is about."""
    part: str = ""
    """The part of the contents it belongs to, such as Systems; parts stand in the order of their first sections."""
    style: str = ""
    script: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def page(report: Report) -> str:
    """The whole file. The same results give the same bytes."""
    if not report.texts:
        report = replace(report, results=tuple(map(without_texts, report.results)), campaigns=())
    sections = list(_built(report))
    styles = dict.fromkeys([asset("page.css"), *(section.style for section in sections if section.style)])
    scripts = dict.fromkeys([asset("page.js"), *(section.script for section in sections if section.script)])
    has_controls = any(interactive.MARK in section.html for section in sections)
    if has_controls:
        styles[asset("interactive.css")] = scripts[asset("interactive.js")] = None
    parts: dict[str, list[PageSection]] = {}
    for section in sections:
        parts.setdefault(section.part, []).append(section)
    text = render(
        "templates/page.html",
        title=report.title or "Assay report",
        sections=sections,
        parts=parts,
        styles=list(styles),
        scripts=list(scripts),
        library=interactive.compressed() if has_controls else "",
        policy=_policy(styles, {**scripts, interactive.library(): None} if has_controls else scripts),
        version=__version__,
    )
    return f"{text}\n"


def _built(report: Report) -> Iterator[PageSection]:
    for module in _modules():
        yield from module.build(report)


def shown_types() -> tuple[type[Result], ...]:
    """The types of results that sections declare to show."""
    return tuple(kind for module in _modules() for kind in getattr(module, "SHOWS", ()))


def _modules() -> Iterator[ModuleType]:
    return (importlib.import_module(f"assay.reports.html.{name}") for name in _SECTIONS)


def render(template: str, **values: Any) -> Markup:
    """A template of the package, filled in. All values are escaped."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(**values))  # noqa: S704 - escaped by the template


def asset(name: str) -> str:
    """The content of a style or script of the package, e.g. `segments/segments.js`."""
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
    environment.globals["json_block"] = _json_block
    environment.globals["verbatim"] = _verbatim
    return environment


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


def _policy(styles: Mapping[str, None], scripts: Mapping[str, None]) -> str:
    """Nothing is allowed but the styles and scripts of the page: no request, no frame, no form, no inline code."""
    return (
        f"default-src 'none'; style-src {_digests(styles)}; script-src {_digests(scripts)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _digests(contents: Mapping[str, None]) -> str:
    hashes = (base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)
