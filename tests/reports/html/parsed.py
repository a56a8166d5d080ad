"""Pages as a parser sees them: elements with their attributes, and texts."""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["Parsed", "parsed"]


class Parsed(HTMLParser):
    """All elements and texts of a page, in order."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.cells: list[str] = []
        self._is_broken = False

    def handle_starttag(self, tag, attrs):
        if tag == "wbr" and not attrs:  # a possible line break inside a name, which stays one text
            self._is_broken = True
            return
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._open and self._open[-1] == "style":
            return
        if self._is_broken:
            self.texts[-1] += data
        else:
            self.texts.append(data)
        self._is_broken = False
        if "td" in self._open or "th" in self._open:
            self.cells[-1] += data

    @property
    def text(self):
        return "".join(self.texts)

    def having(self, tag, **attributes):
        """The attributes of the elements of a kind that have these."""
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == value for key, value in attributes.items())
        ]

    @property
    def shape(self):
        """The elements without the values of their attributes, and without those that keep a name on one line."""
        elements = [each for each in self.elements if each != ("span", {"class": "whole"})]
        return [(tag, sorted(attributes)) for tag, attributes in elements]


def parsed(text):
    page = Parsed()
    page.feed(str(text))
    page.close()
    return page
