"""Terminology lists as values."""

from __future__ import annotations

from assay.lexicons.term_list import TermList, as_terms, without_line_breaks


def test_entries_of_a_term_are_joined():
    assert as_terms([("a", ["x", "y"]), ("b", ["z"]), ("a", ["y", "w"])]) == (("a", ("x", "y", "w")), ("b", ("z",)))


def test_lists_of_segments_count():
    terms = (("a", ("x",)),)
    assert (len(TermList(terms)), TermList(terms).is_by_segment) == (1, False)
    assert (len(TermList(by_text={"A.": terms, "B.": ()})), TermList(by_text={"A.": terms}).is_by_segment) == (1, True)
    assert (len(TermList(by_line=(terms, terms))), TermList(by_line=(terms,)).is_by_segment) == (2, True)


def test_texts_are_found_without_their_line_breaks():
    assert without_line_breaks(" One.\n\nTwo. ") == "One. Two."
