"""What all formats share: detection, listing, and reading one language pair."""

from __future__ import annotations

import ast
import gzip
from pathlib import Path

import pytest

from assay import check, rank, read
from assay.data.formats import (
    data_format,
    detect_format,
    find_format,
    list_campaigns,
    read_campaign,
    read_campaigns,
)
from assay.errors import AssayError, ConfigError, EmptyInputError, InputError, UnknownNameError
from assay.types import NoteKind
from assay.types.runtime import Runtime

TABLE = "dataset\tlp\tsystem\tsegment\toutput\n"
ROWS = "wmt\ten-de\ta\t1\tx\nwmt\ten-cs\ta\t1\ty\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text(TABLE + ROWS, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    for lp in ("de-en", "en-de"):
        path = tmp_path / "wmt99" / "human-scores" / f"{lp}.wmt.sys.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a\t1\nb\t2\n", encoding="utf-8")
    return tmp_path / "wmt99"


def test_no_format_imports_another():
    modules = {path.stem for path in (Path(__file__).parents[2] / "src/assay/data/formats").glob("*.py")}
    for name in modules - {"__init__"}:
        tree = ast.parse((Path(__file__).parents[2] / f"src/assay/data/formats/{name}.py").read_text(encoding="utf-8"))
        imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [module for module in imported if module.startswith("assay.data.formats.")], name


def test_files_are_listed_and_read_by_language_pair(table):
    assert [(c.testset, c.lp) for c in list_campaigns(table)] == [("wmt", "en-de"), ("wmt", "en-cs")]
    assert read_campaign(table, lp="en-cs").testset.outputs == {"a": ("y",)}
    with pytest.raises(ConfigError, match="has several language pairs") as caught:
        read_campaign(table)
    assert caught.value.hint == "choose one with lp: en-de, en-cs"
    with pytest.raises(UnknownNameError, match="no language pair 'en-dee'") as caught:
        read_campaign(table, lp="en-dee")
    assert caught.value.hint == "did you mean 'en-de'?"
    assert [campaign.lp for campaign in read_campaigns(table, lps=["en-cs", "en-cs", "en-de"])] == ["en-cs", "en-de"]


def test_folders_are_listed_without_reading_their_files(folder):
    (folder / "human-scores/en-de.wmt.sys.score").write_text("scores", encoding="utf-8")
    assert [str(campaign) for campaign in list_campaigns(folder)] == ["wmt99 de-en", "wmt99 en-de"]
    assert read_campaign(folder, lp="de-en").systems == ("a", "b")
    with pytest.raises(InputError, match="expected 'SYSTEM SCORE'"):
        read_campaign(folder, lp="en-de")
    with pytest.raises(UnknownNameError, match="no language pair 'cs-en'"):
        read_campaigns(folder, lps=["cs-en"])


def test_several_test_sets(folder):
    other = folder.parent / "wmt98/human-scores/en-de.wmt.sys.score"
    other.parent.mkdir(parents=True)
    other.write_text("a\t1\n", encoding="utf-8")
    assert len(list_campaigns(folder.parent)) == 3
    for lp in (None, "en-de"):
        with pytest.raises(ConfigError, match="has several test sets") as caught:
            read_campaign(folder.parent, lp=lp)
        assert caught.value.hint == "choose one: wmt98, wmt99"
    assert read_campaign(folder.parent, lp="de-en").name == "wmt99"


def test_progress(folder):
    steps = []
    campaigns = read_campaigns(folder, runtime=Runtime(progress=lambda *step: steps.append(step)))
    assert [campaign.lp for campaign in campaigns] == ["de-en", "en-de"]
    assert steps[0] == ("reading wmt99 de-en", 0, 2)


def test_formats_are_detected_or_named(tmp_path, table):
    assert find_format(table).name == "tsv"
    assert find_format(table, "mqm:lp=en-de").lp == "en-de"
    (tmp_path / "plain.txt").write_text("just words\n", encoding="utf-8")
    assert detect_format(tmp_path / "plain.txt") is None
    with pytest.raises(InputError, match="unrecognised format") as caught:
        read_campaigns(tmp_path / "plain.txt")
    assert "input_format" in caught.value.hint
    with pytest.raises(InputError, match="no such file or directory"):
        detect_format(tmp_path / "absent")


def test_contents_that_contradict_the_suffix_are_named(tmp_path, table):
    for name, text, format_name in (
        ("a.tsv", "system,segment,output\nx,1,a\n", "csv"),
        ("semicolons.tsv", "system;segment;output\nx;1;a\n", "csv"),
        ("a.csv", "system\tsegment\toutput\nx\t1\ta\n", "tsv"),
        ("a.txt", '{"system": "x", "segment": 1, "output": "a"}\n', "jsonl"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="not what its suffix") as caught:
            find_format(tmp_path / name)
        assert caught.value.hint == f"the contents look like {format_name}: rename the file to end in .{format_name}"
    (tmp_path / "empty.tsv").touch()
    with pytest.raises(EmptyInputError, match="empty file"):
        find_format(tmp_path / "empty.tsv")


@pytest.mark.parametrize("name", data_format.names())
def test_every_format_lists_what_it_reads(name, tmp_path):
    with pytest.raises(AssayError):
        data_format.create(name).contents(tmp_path / "absent")


def test_options_of_a_format_are_noted(table):
    text = "read as tsv:quotes=no"
    for options, is_noted in ((None, False), ("tsv", False), ("tsv:quotes=no", True)):
        campaign, _ = read_campaigns(table, input_format=options)
        notes = [note for note in campaign.notes if note.kind is NoteKind.PROVENANCE and note.text == text]
        assert bool(notes) == is_noted
        assert [note for note in campaign.testset.notes if note.text == text] == notes


def test_a_file_given_twice_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("rater,system,segment,human:ESA\nx,A,1,50\n")
    for function in (read, check):
        with pytest.raises(ConfigError, match=r"t\.csv is given twice"):
            function(*([path, tmp_path / "." / "t.csv"] if function is read else [[path, path]]))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.tsv", "system\tsegment\toutput\na\t1\tx\n"),
        ("t.csv", "system,segment,output\na,1,x\n"),
        ("t.jsonl", '{"system": "a", "segment": 1, "output": "x"}\n'),
        ("t.json", '[{"system": "a", "segment": 1, "output": "x"}]'),
        ("t.seg.score", "a\t1\n"),
        ("t.csv.gz", gzip.compress(b"system,segment,output\na,1,x\n", mtime=0)),
    ],
)
def test_the_language_pair_of_data_that_names_none_is_the_one_that_was_asked_for(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    campaign = read_campaign(path, lp="en-de")
    assert campaign.lp == "en-de"
    assert campaign.testset is None or campaign.testset.lp == "en-de"
    assert [campaign.lp for campaign in read_campaigns(path, lps=["en-de"])] == ["en-de"]
    assert read_campaign(path).lp == ""
    for lps in (["*-de"], ["en-de", "en-fr"]):
        with pytest.raises(UnknownNameError, match="has no language pair") as caught:
            read_campaigns(path, lps=lps)
        assert caught.value.hint == 'it does not name its language pair; give one, e.g. lp="en-de"'


def test_files_of_other_language_pairs_are_named(table, tmp_path):
    other = tmp_path / "ratings.tsv"
    other.write_text("lp\tsystem\tsegment\trater\tscore\nen-fr\ta\t1\tr\t50\n", encoding="utf-8")
    (campaign,) = read_campaigns(table, other, lps=("en-de",))
    note = next(note for note in campaign.notes if note.where.endswith("ratings.tsv"))
    assert (note.kind, note.text, note.severity) == (NoteKind.UNREAD, "not read: it has en-fr, not en-de", "warning")
    assert read_campaign(table, other, lp="en-de").notes == campaign.notes
    with pytest.raises(InputError, match="en-de has no segment-level human judgements") as refused:
        rank(campaign)
    assert "there are only texts" in refused.value.hint
    assert "not read: it has en-fr, not en-de" in refused.value.hint
    assert not any(note.kind is NoteKind.UNREAD for note in read_campaigns(table, lps=("en-de",))[0].notes)


@pytest.mark.parametrize("wanted", [None, "en-de", "eng_Latn-deu_Latn"])
def test_a_pair_with_and_without_scripts_is_one(tmp_path, wanted):
    """As texts in one file, and the ratings of a Pearmut campaign in another."""
    texts, ratings, both = (tmp_path / name for name in ("texts.tsv", "ratings.tsv", "both.tsv"))
    texts.write_text("lp\tsystem\tsegment\toutput\nen-de\ta\t1\tx\n", encoding="utf-8")
    header = "lp\tsystem\tsegment\trater\tscore\n"
    ratings.write_text(f"{header}eng_Latn-deu_Latn\ta\t1\tr\t50\n", encoding="utf-8")
    (campaign,) = read_campaigns(texts, ratings, lps=() if wanted is None else (wanted,))
    name = wanted or "en-de"
    other = "en-de" if name != "en-de" else "eng_Latn-deu_Latn"
    assert (campaign.lp, campaign.testset.lp, len(campaign.judgements)) == (name, name, 1)
    assert f"{other} is taken to be {name}, as other files call it" in [note.text for note in campaign.notes]
    both.write_text(f"{header}eng_Latn-deu_Latn\ta\t1\tr\t5\nen-de\ta\t1\tr\t5\n", encoding="utf-8")
    assert {each.lp for each in read_campaigns(texts, both)} == {"en-de", "eng_Latn-deu_Latn"}
    texts.write_text("lp\tsystem\tsegment\toutput\nen-zh\ta\t1\tx\n", encoding="utf-8")
    rows = "".join(f"eng_Latn-zho_{script}\ta\t1\tr\t50\n" for script in ("Hans", "Hant"))
    ratings.write_text(header + rows, encoding="utf-8")
    assert [each.lp for each in read_campaigns(texts, ratings)] == ["en-zh", "eng_Latn-zho_Hans", "eng_Latn-zho_Hant"]


def test_test_sets_of_two_years_keep_the_names_of_their_pairs(tmp_path):
    for year, lp in (("wmt24", "en-de"), ("wmt26", "eng_Latn-deu_Latn")):
        (tmp_path / f"of-{year}.tsv").write_text(f"{TABLE}{year}\t{lp}\ta\t1\tx\n", encoding="utf-8")
    campaigns = read_campaigns(*sorted(tmp_path.iterdir()))
    assert {(each.name, each.lp) for each in campaigns} == {("wmt24", "en-de"), ("wmt26", "eng_Latn-deu_Latn")}


def test_files_of_several_pairs_must_name_theirs(tmp_path):
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    for target in ("de", "zh"):
        folder = tmp_path / f"en-{target}"
        folder.mkdir()
        (folder / "texts.tsv").write_text(f"{TABLE}\ten-{target}\ta\t1\t{target}\n", encoding="utf-8")
        (folder / "mqm.tsv").write_text(f"{header}a\td\t1\t1\tr\ts\t{target}\tNo-error\tNo-error\n", encoding="utf-8")
    files = [path for folder in ("en-de", "en-zh") for path in sorted((tmp_path / folder).iterdir())]
    campaigns = read_campaigns(*files)
    note = next(note for note in campaigns[0].notes if "is left out" in note.text)
    assert "of several language pairs, each file must name its own: NAME_en-de.tsv, or a column lp" in note.text
    renamed = [
        path.rename(path.parent / f"mqm_{path.parent.name}.tsv") if path.stem == "mqm" else path for path in files
    ]
    assert [(each.lp, len(each.judgements)) for each in read_campaigns(*renamed)] == [("en-de", 1), ("en-zh", 1)]


def test_a_language_pair_selects_from_data_that_names_some(table, tmp_path):
    other = tmp_path / "ratings.csv"
    other.write_text("rater,system,segment,human:ESA\nr,a,1,50\n", encoding="utf-8")
    assert len(read_campaign(table, other, lp="en-de").judgements) == 1
    with pytest.raises(UnknownNameError) as caught:
        read_campaign(table, lp="en-fr")
    assert caught.value.hint == "available: en-cs, en-de"


def test_columns_apply_to_tables(tmp_path, table):
    path = tmp_path / "t.csv"
    path.write_text("English,DeepL\none,eins\n", encoding="utf-8")
    with pytest.raises(InputError, match="no recognised column") as caught:
        read(path)
    assert 'columns="source=English,DeepL"' in str(caught.value.hint)
    (campaign,) = read(path, columns="source=English,DeepL")
    assert (campaign.systems, campaign.testset.sources) == (("DeepL",), ("one",))
    score = tmp_path / "m.seg.score"
    score.write_text("a\t1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"columns applies to tables, and .* is read as score"):
        read(score, columns="a")


def test_a_table_without_known_names_says_how_to_name_them(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("Das ist der erste lange Satz hier.\tThis is the first long sentence.\na\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t.tsv, line 1: no recognised column") as caught:
        read(path)
    assert "the first line must name the columns" in str(caught.value.hint)


EXAMPLES = {"TSV": "t.tsv", "CSV": "t.csv", "JSON lines": "t.jsonl"}


def examples(start):
    """The code blocks that follow a text in the documentation."""
    page = (Path(__file__).parents[2] / "docs/data.md").read_text(encoding="utf-8")
    block = page.partition(start)[2].partition("```\n")[2].partition("```")[0]
    return "".join(line.removeprefix("  ") for line in block.splitlines(keepends=True))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_tables_in_the_documentation(tmp_path, name):
    path = tmp_path / EXAMPLES[name]
    path.write_text(examples(f"- **{name}**"), encoding="utf-8")
    (campaign,) = read(path)
    assert campaign.testset.sources == ("Good morning.",)
    assert campaign.testset.outputs["DeepL"] == ("Guten Morgen.",)


def test_other_examples_in_the_documentation(tmp_path):
    contents = []
    for number, line in enumerate(examples("- **JSON** (").splitlines()):
        (tmp_path / f"{number}.json").write_text(line, encoding="utf-8")
        (campaign,) = read(tmp_path / f"{number}.json")
        contents.append((campaign.systems, [(table.name, table.level) for table in campaign.scores]))
    both = ("DeepL", "GPT-4")
    assert contents == [
        (("DeepL",), []),
        (both, [("1", "segment")]),
        (both, [("COMET", "system"), ("BLEU", "system")]),
    ]
    (tmp_path / "comet.out").write_text(examples("## What COMET prints"), encoding="utf-8")
    (campaign,) = read(tmp_path / "comet.out")
    assert campaign.scores[0].values.tolist() == [[0.8417, 0.7841]]
