"""The wrong forms of texts, one entry each: what it looks like, from how many lines on it is reported, what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from assay.data.form_lines import (
    ColumnKind,
    ComparedColumn,
    in_other_script,
    in_quotes,
    json_strings,
    lacking_throughout,
    letters_apart,
    looping,
    numbered,
    of_same_text,
    quoted,
    reversed_letters,
    reversed_words,
    shortened,
    spaced_out,
    twice,
    unfinished,
    with_mixed_letters,
    with_same_end,
    with_same_start,
    with_small_start,
    with_source,
    without_accents,
    without_capitals,
    without_small_letters,
    without_spaces,
    without_words,
)

__all__ = ["FORMS", "Form"]


@dataclass(frozen=True, slots=True)
class Form:
    """A form that texts should not have, and how its lines are found.

    A line has it if it contains one of the `strings`, while its reference and its source contain none of them and do
    not match `cause`, and matches the pattern; or `lines` finds the lines. A line feed in a string is the start or
    the end of a line.
    """

    name: str
    verb: str
    text: str
    """What the lines do, after the verb."""
    hint: str
    """What to do; `{column}` stands for the number of the column that has the longest texts."""
    strings: tuple[str, ...] = ()
    pattern: str | None = None
    cause: str | None = None
    """A pattern of the reference or the source of lines that rightly have the form."""
    lines: Callable[[ComparedColumn, int, float], list[int]] | None = None
    is_addition: bool = False
    """It comes after a translation: the line is longer than the reference, or the form is near its end."""
    kinds: tuple[ColumnKind, ...] = ("output", "reference", "source")
    share: float = 0.01
    """Of the lines, from which on it is a warning."""
    is_always_wrong: bool = False
    """Most lines must not have it, even if the reference has it, too."""
    is_note_below: bool = True
    """With fewer lines, it is a note, which only a check of the data shows."""
    is_no_translation: bool = False
    """A line that has it is no translation: it is a note when scoring, too."""
    is_symptom: bool = False
    """It also follows from other forms: lines that have one of those before do not count."""
    despite: frozenset[str] = frozenset()
    """The forms that a symptom does not follow from."""
    is_relative: bool = False
    """Lines that most outputs share do not count: there, it is the reference that differs."""
    may_be_in_source: bool = False
    """Sources may have it, and outputs rightly too: with nothing to compare, it is a note (paragraphs of WMT26)."""


def _starts(phrases: str) -> tuple[str, ...]:
    return tuple(f"\n{phrase}" for phrase in phrases.split("|"))


_SPECIAL_TOKENS = (
    "<s> </s> <pad> <unk> <bos> <eos> <mask> <sep> <PAD> <UNK> <BOS> <EOS> <2 <| [CLS] [SEP] [PAD] [UNK] [MASK] [BOS] "
    "[EOS] <end_of_turn> <start_of_turn> [INST] [/INST] <extra_id_ <0x >> _Latn _Cyrl _Arab _Deva _Hans _Hant _Jpan "
    "_Hang _Beng _Ethi _Grek _Hebr _Thai ⁇"
)
_TAGS = "</|<seg|<hyp|<doc|<p>|<br|<div|<td|<source>|<target>|<translation>|<output>|<i>|<b>|<span|<g id|<bpt|<ph|<x id"
_INTRODUCTIONS = (
    "Here is|Here's|Here are|Here’s|Below is|I've trans|I have trans|My trans|Final trans|Assistant:|"
    "Sure|Certainly|Of course|Translat|The transl|Hier ist|Hier die|Natürlich|"
    "Übersetzung|Die Übersetzung|Gerne|Voici|Bien sûr|Traduction|La traduction|Aquí|Claro|¡Claro|Por supuesto|"
    "Traducción|La traducción|Ecco|Cert|Traduzione|La traduzione|Aqui est|Tradução|A tradução|Вот|Конечно|Перевод|"
    "Ось|Звичайно|Переклад|Zde je|Tady je|Samozřejmě|Překlad|Oto|Oczywiście|Tłumaczenie|Hier is|Vertaling|以下|"
    "这是|這是|当然|當然|好的|翻|译文|譯文|訳文|もちろん|はい|日本語訳|다음은|번역|물론|إليك|الترجمة|ترجمة|यहाँ|"
    "अनुवाद|下面|Här är|Översättning|Her er|Oversættelse|Tässä on|Käännös|Íme|Fordítás|Hér er|Þýðing|Siin on|Tõlge|"
    "Iată|Ορίστε|Μετάφραση|İşte|Çeviri|Đây là|Bản dịch|Berikut|Terjemahan|הנה|תרגום|অনুবাদ|এখানে|คำแปล|นี่คือ|Evo|"
    "Prijevod|Prevod|German:|English:|French:|Spanish:|Chinese:|Japanese:|Czech:|Russian:"
)
_NOTES = (
    "(Note:|Note: |(Note that|Explanation:|ranslator's note|ranslator’s note|ranslation note:|Alternative translation:|"
    "Literal translation:|hope this helps!|Let me know if|anything else you'd like|"
    "(Anmerkung|Anmerkung: |(Hinweis:|Hinweis: |Erläuterung: |Erklärung: |Remarque :|(Note :|(Nota:|Nota: |"
    "Explicación:|Примечание:|(Примечание|Пояснение:|Примітка:|Poznámka:|(Pozn|Uwaga:|（注|(注|注：|说明：|"
    "解释：|備考：|注釈|解説："
)
_REFUSALS = (
    "I'm sorry|I’m sorry|I am sorry|I cannot|I can't|I can’t|I'm unable|I am unable|I'm not able|I won't|"
    "Unfortunately, I|Unable to trans|As an AI|As a language|Sorry, |I apologi|Es tut mir leid|"
    "Tut mir leid|Entschuldigung|Ich kann |Je suis désolé|Désolé|Je ne peux pas|Lo siento|No puedo|Mi dispiace|"
    "Desculpe|Извините|Простите|К сожалению|Вибачте|На жаль|Omlouvám se|Przepraszam|对不起|抱歉|很抱歉|"
    "對不起|申し訳|すみません|죄송"
)
_APOLOGIES = (
    "sorry|apolog|forgive|excuse|regret|leid|entschuldig|verzeih|bedau|désol|excus|pardon|siento|lament|disculp|perd[oó]n|"
    "dispiac|scus|desculp|извин|прост[ие]|сожал|вибач|перепрош|пробач|шкода|жаль|omlou|omluv|promi[nň]|líto|lituj|"
    "przepr|przykro|对不起|抱歉|對不起|遗憾|申し訳|すみません|ごめん|残念|죄송|미안"
)
_NOTES_OF_TEXTS = (
    r"(?i)\b(?:not[ei]|nota\b|explan|remark|remarque|pozn|uwag)|hinweis|anmerk|erklär|erläut|примеч|пояснен|примітк|注|備考|"
    "说明|解释|解説"
)
_EMPTY = "FAILED|ERROR|Error|None|nan|NaN|null|NULL|N/A|<NA>|#N/A|#ERROR!|#NAME?|#VALUE!|#REF!|undefined|TODO|TBD"
_CODES = "400|401|403|404|408|413|429|500|502|503|504|529"
_MESSAGES = (
    "Internal Server Error|Internal server error|Bad Gateway|Service Unavailable|Service unavailable|Gateway Time|"
    "Too Many Requests|Rate limit|RateLimit|CUDA out of memory|CUDA error|Out of memory|Request timed out|Connection "
)
_LEVELS_ALONE = "DEBUG|INFO|WARN|WARNING|CRITICAL|FATAL|TRACE"
_LEVELS = f"{_LEVELS_ALONE}|[{_LEVELS_ALONE.replace('|', '|[')}|[ERROR"
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DATES = "|".join(
    [f"20{year}{mark}" for year in range(10, 40) for mark in "-/"]
    + [f"{month} {ten}" for month in _MONTHS.split("|") for ten in " 0123"]
)
_TRANSLATION = (
    "[Tt]ranslat|[Üü]bersetz|[Tt]radu[cz]|[Tt]raduç|[Пп]еревод|[Пп]ерекл|[Pp]řeklad|[Tt]łumacz|[Vv]ertaling|翻译|翻譯|"
    "译文|譯文|翻訳|訳文|日本語訳|번역|ترجم|अनुवाद|অনুবাদ|[Öö]versättning|[Oo]versættelse|[Kk]äännö|[Ff]ordítás|[Þþ]ýðing|"
    "[Tt]õlge|[Μμ]ετάφρασ|[Çç]eviri|[Bb]ản dịch|[Tt]erjemahan|תרגום|คำแปล|[Pp]ri?j?evod"
)
_HELP = (
    "assist|help|provide|fulfil|language model|an AI|helfen|Sprachmodell|aider|ayudar|aiutar|ajudar|помочь|допомогти|"
    "pomoci|pomóc|提供|帮助|幫助|お手伝い|도와"
)
_CONTROLS = tuple(map(chr, (*range(1, 9), 11, 12, *range(14, 27), *range(28, 32), *range(127, 133), *range(134, 160))))
_INVISIBLE = (
    "\u00ad",
    "\u200b",
    "\u200e",
    "\u200f",
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2060, 0x206A)),
)

_FINAL_MARKS = tuple(f"{mark}\n" for mark in '.!?…。！？।॥؟։።»"”') + tuple(
    f"{mark}{close}\n" for mark in ".!?…。！？" for close in "'’)）」』›“"
)
_ACCENTED = (
    "ÄÖÜÀÁÂÃÅÇÈÉÍÓÚČŘŠŽŚŁİŞ"
    "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćčďđēėęěğģīįıķļłńņňőřśşšţťūůűųźżžșț\u0300\u0301\u0302\u0303\u0304\u0308\u030c"
)
_QUOTATION_MARKS = tuple(f"\n{mark}" for mark in "\"'“„”‘‚«»「『《")

FORMS: tuple[Form, ...] = (
    Form(
        "bpe",
        "contain",
        "pieces of words (@@)",
        "join them: sed -E 's/@@( |$)//g'",
        strings=("@@ ", "@@\n"),
        pattern=r"\w@@(?: |$)",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "joiners",
        "contain",
        "the joiners of a tokeniser (￭)",
        "join them: sed -E 's/ ?￭ ?//g'",
        strings=("￭",),
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "wordpiece",
        "contain",
        "pieces of WordPiece (##)",
        "join them: sed 's/ ##//g'",
        strings=(" ##",),
        pattern=r"\w ##\w+(?![\w#])",  # not a mask: ##NAME#
        cause="[#＃]",  # hashtags and masks
    ),
    Form(
        "byte-level bpe",
        "contain",
        "pieces of byte-level BPE (Ġ)",
        "decode them with the tokeniser of the model: tokenizer.decode",
        strings=("Ġ",),
        pattern=r"Ġ[^ ].*Ġ[^ ]",
    ),
    Form(
        "sentencepiece",
        "contain",
        "pieces of SentencePiece (▁)",
        "join them: spm_decode, or sed 's/ //g; s/▁/ /g; s/^ //'",
        strings=("▁",),
        pattern="▁[^▁ ]",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "thoughts",
        "contain",
        "the thoughts of a model (<think>)",
        "remove the thoughts: sed -E 's|<think>.*</think>||'",
        strings=("<think>", "</think>"),
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "special tokens",
        "contain",
        "special tokens of a model",
        "decode without them: skip_special_tokens=True",
        strings=(*_SPECIAL_TOKENS.split(), "\n__"),
        pattern=r"</?s>|<(?:pad|unk|[be]os|mask|sep|PAD|UNK|[BE]OS)>|<2[a-z]{2,3}(?:_\w+)?>|<\|\w+\|>|"
        r"\[(?:CLS|SEP|PAD|UNK|MASK|[BE]OS)\]|<(?:start|end)_of_turn>|\[/?INST\]|<extra_id_\d+>|<0x[0-9A-F]{2}>|⁇|"
        r"^(?:__[a-z]{2,3}(?:_\w+)?__|>>[a-z]{2,3}(?:_\w+)?<<|[a-z]{3}_[A-Z][a-z]{3}\s)",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "colours",
        "contain",
        "colour codes of a terminal",
        r"remove them: sed 's/\x1b\[[0-9;]*m//g'",
        strings=("\x1b[", "[0m", "[3", "[1;"),
        pattern=r"\x1b\[|\[(?:0|[01];\d+|3\d)m",  # programs that print a text may leave out the first character
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "fairseq",
        "are",
        "from the log of fairseq",
        "keep the translations, in order: sed -n 's/^[HD]-//p' FILE | sort -nuk1,1 | cut -f3",
        strings=("\nH-", "\nD-", "\nT-", "\nS-", "\nP-"),
        pattern=r"^[HDTSP]-\d+\t",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "log",
        "are",
        "from the log of a program",
        "write the translations alone, not what is logged: OpenNMT and Marian write them to the file of --output",
        strings=(*_starts("PRED |SENT |[20|(20"), "Best translation ", *_starts(_LEVELS), *_starts(_DATES)),
        pattern=r"^\s*(?:(?:PRED|SENT) (?:\d+:|SCORE|AVG)|[\[(]?20\d\d[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d\S*\s+\S|"
        rf"\[(?:{_LEVELS_ALONE}|ERROR)\]|(?:{_LEVELS_ALONE})(?::|\s+[|-])|(?:{_MONTHS})\s+\d+ \d\d:\d\d:\d\d )",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "n-best",
        "are",
        "from an n-best list of Moses",
        "keep the best translations: awk -F ' [|][|][|] ' '!seen[$1]++ {print $2}' FILE",
        strings=(" ||| ",),
        pattern=r"^\d+ \|\|\| .* \|\|\| ",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "numbers",
        "start",
        "with their own number",
        "remove the numbers",
        strings=_starts(
            "0|1|2|3|4|5|6|7|8|9|[|(|#|№|（|【|Line |line |Segment |segment |Sentence |Item |Zeile |Satz |Ligne "
        ),
        lines=numbered,
        share=0.03,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "tabs",
        "contain",
        "a tab",
        "is this a table? Give the column with the texts: cut -f{column}",
        strings=("\t",),
        pattern=r"^(?![HDTSP]-\d+\t).*\t",
        share=0.02,
        is_note_below=False,
    ),
    Form(
        "json strings",
        "are",
        "strings of JSON",
        "decode them: python3 -c 'import json, sys; [print(*json.loads(text).splitlines()) for text in sys.stdin]'",
        strings=('\n"',),
        lines=json_strings,
        share=0.1,
        is_note_below=False,
    ),
    Form(
        "quoted",
        "are",
        "in the quotation marks of a CSV file",
        "remove them: python3 -c 'import csv, sys; [print(*row) for row in csv.reader(sys.stdin)]' < FILE",
        strings=_QUOTATION_MARKS,
        lines=quoted,
        is_symptom=True,
        share=0.1,
        is_note_below=False,
    ),
    Form(
        "in quotes",
        "are",
        "in quotation marks, unlike {reference}",
        "remove the marks at both ends",
        strings=_QUOTATION_MARKS,
        lines=in_quotes,
        share=0.1,
        is_note_below=False,
    ),
    Form(
        "json",
        "are",
        "JSON",
        "write the texts alone, one a line, or give all texts as one table of JSON lines: --data FILE.jsonl",
        strings=('\n{"', '\n["'),
        pattern=r"^\s*(?:\{\"[^\"]*\"\s*:.*\}|\[\".*\"\])\s*$",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "python",
        "are",
        "lists, dictionaries or bytes of Python (['…'], b'…')",
        "write the texts alone: of a list or a dictionary, what is in it; of bytes, value.decode()",
        strings=("\n{'", "\n['", "\n('", "\nb'", '\nb"'),
        pattern=r"^\s*(?:\{'[^']*'\s*:.*\}|\['.*'\]|\('.*'?,?\)|b'.*'|b\".*\")\s*$",
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "markup",
        "contain",
        "XML or HTML tags",
        "remove the tags",
        strings=tuple(_TAGS.split("|")),
        pattern=r"<(?!/?(?:s|think|pad|unk|[be]os|mask|sep)>)/?[a-zA-Z][\w.-]*(?:\s[^<>]*)?/?>",
        may_be_in_source=True,
    ),
    Form(
        "entities",
        "contain",
        "HTML entities",
        "unescape them: python3 -c 'import html, sys; sys.stdout.writelines(map(html.unescape, sys.stdin))'",
        strings=(
            "&amp;",
            "&quot;",
            "&apos;",
            "&lt;",
            "&gt;",
            "&nbsp;",
            "&#",
            "uml;",
            "acute;",
            "grave;",
            "circ;",
            "&szlig;",
        ),
        pattern=r"&(?:[a-zA-Z]{2,8}|#\d+|#[xX][0-9a-fA-F]+);",
        may_be_in_source=True,
    ),
    Form(
        "url codes",
        "contain",
        "characters in the code of URLs (%20, %C3%BC)",
        "decode them: python3 -c 'import sys, urllib.parse as p; sys.stdout.writelines(map(p.unquote, sys.stdin))'",
        strings=("%2", "%C", "%D", "%E"),
        pattern=r"^(?!.*(?://|www\.)).*%(?:2[0-9A-F]|[CDE][0-9A-F]%[89AB]).*%[2-9A-F][0-9A-F]",
    ),
    Form(
        "escapes",
        "contain",
        r"escaped characters (\n, \u00e4)",
        "unescape them; were strings of a program written as they are?",
        strings=("\\",),
        is_symptom=True,
        pattern=r"\\[nrt\"](?![a-z])|\\n|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}",
    ),
    Form(
        "invisible",
        "contain",
        "invisible characters (soft hyphens, zero-width or control characters)",
        r"remove them: perl -CSD -pe 's/[\x{AD}\x{200B}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2069}]//g'",
        strings=(*_INVISIBLE, *_CONTROLS),
        # UTF-8 that was encoded twice has controls after the letters Ã, â and the like: it has a finding of its own.
        pattern=r"(?<![Â-ßâã\x80-\xbf])[\xad\x80-\x9f]|[\x01-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069]",
    ),
    Form(
        "byte order marks",
        "contain",
        "a byte order mark (U+FEFF)",
        r"remove them: perl -CSD -pe 's/\x{FEFF}//g'",
        strings=("\ufeff",),
        is_always_wrong=True,
        is_note_below=False,
    ),
    Form(
        "lost characters",
        "contain",
        "a replacement character (U+FFFD) for a lost character",
        "decode the original file again, in its own encoding",
        strings=("\ufffd",),
        is_always_wrong=True,
        is_no_translation=True,
    ),
    Form(
        "question marks",
        "contain",
        "question marks instead of letters",
        "write the file again, as UTF-8",
        strings=("?",),
        pattern=r"^(?!.*(?:://|www\.)).*[A-Za-z]\?[a-z]|\?{2,} \?{2,} \?{2,}",
        share=0.02,
        is_note_below=False,
    ),
    Form(
        "letters apart",
        "have",
        "spaces between all letters",
        "was a text taken for a list of words? Write it as it is, not ' '.join(text)",
        lines=letters_apart,
        kinds=("output", "reference"),
        share=0.03,
        is_note_below=False,
    ),
    Form(
        "underscores",
        "have",
        "underscores instead of spaces",
        "put the spaces back: sed 's/_/ /g'",
        strings=("_",),
        pattern=r"^[^\s_]+(?:_[^\s_]+){2,}\s*$",
        is_note_below=False,
    ),
    Form(
        "reversed",
        "start",
        "with the end of the sentence: the words are in reverse order",
        "write the words in the order in which they are read",
        strings=_FINAL_MARKS,
        lines=reversed_words,
        kinds=("output", "reference"),
        is_symptom=True,
        share=0.1,
        is_note_below=False,
    ),
    Form(
        "letters reversed",
        "start",
        "with the end of the sentence: the letters are in reverse order",
        "write the letters in the order in which they are read",
        strings=_FINAL_MARKS,
        lines=reversed_letters,
        kinds=("output", "reference"),
        share=0.1,
        is_note_below=False,
    ),
    Form(
        "tokenised",
        "contain",
        "spaces before punctuation, as tokenised text",
        "detokenise it: metrics tokenise by themselves",
        strings=(
            " , ",
            " . ",
            " .\n",
            " ,\n",
            " @-@ ",
            " ) ",
            " 、 ",
            " 。\n",
            " 。 ",
            " ， ",
        ),  # not " ?": French has it
        kinds=("output", "reference"),
        share=0.05,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "spaced out",
        "have",
        "spaces between characters that are written without",
        "remove the spaces: metrics tokenise by themselves",
        lines=spaced_out,
        kinds=("output", "reference"),
        share=0.03,
    ),
    Form(
        "lower case",
        "lack",
        "the capitals that {reference} has",
        "is the text lower-cased? Restore the capitals, or ignore case in both: bleu:lowercase=yes",
        lines=without_capitals,
        kinds=("output", "reference"),
        share=0.15,
        is_note_below=False,
    ),
    Form(
        "upper case",
        "are",
        "all in capitals, unlike {reference}",
        "give the text as the system should write it",
        lines=without_small_letters,
        kinds=("output", "reference"),
        share=0.03,
        is_note_below=False,
    ),
    Form(
        "markdown",
        "contain",
        "Markdown (**, ```, #)",
        "remove the marks",
        strings=("**", "```", "\n#", "\n＃"),
        pattern=r"(?<!\*)\*\*(?!\*)\S|```|^\s*#{1,3} ",
        kinds=("output", "reference"),
        may_be_in_source=True,
    ),
    Form(
        "bullets",
        "start",
        "with the bullet of a list",
        "remove the bullets: sed -E 's/^[-*•] //'",
        strings=_starts("- |* |• |· |– |— |-|—|–"),
        pattern=r"^\s*[-*•·] \S",
        share=0.05,
        is_note_below=False,
    ),
    Form(
        "introduction",
        "start",
        "like the answer of a chat model",
        "remove what comes before the translation",
        strings=_starts(_INTRODUCTIONS),
        pattern=rf"^[^:：]{{0,80}}?(?:{_TRANSLATION})[^:：]{{0,80}}[:：]|"
        r"^(?:Sure|Certainly|Of course|Natürlich|Gerne|Bien sûr|¡?Claro|¡?Por supuesto|Certo|Certamente|Конечно|"
        r"Звичайно|Samozřejmě|Oczywiście|当然|當然|好的|もちろん(?:です)?|물론(?:입니다|이죠)?) ?[!！]|"
        r"^(?:German|English|French|Spanish|Chinese|Japanese|Czech|Russian):",
        kinds=("output", "reference"),
        is_no_translation=True,
    ),
    Form(
        "notes",
        "contain",
        "a note on the translation",
        "remove what comes after the translation",
        strings=tuple(_NOTES.split("|")),
        cause=_NOTES_OF_TEXTS,
        kinds=("output", "reference"),
        is_addition=True,
        is_no_translation=True,
    ),
    Form(
        "refusals",
        "contain",
        "a refusal of a chat model",
        "translate these segments again",
        strings=_starts(_REFUSALS),
        pattern=rf"^(?=.{{0,200}}(?:{_TRANSLATION}|{_HELP}))",
        cause=rf"(?i){_REFUSALS}|{_APOLOGIES}",
        kinds=("output", "reference"),
        is_relative=True,
        is_no_translation=True,
    ),
    Form(
        "failed",
        "say",
        "that there is no translation",
        "translate these segments again; was there an error?",
        strings=(
            *_starts(f"{_EMPTY}|{_MESSAGES}|Traceback (|HTTP|{_CODES}"),
            *("Error: ", "Exception: ", "Error(", "Timeout: ", "Error\n", "Exception\n"),
        ),
        pattern=rf"^\s*(?:{'|'.join(map(re.escape, _EMPTY.split('|')))})\s*$|"
        r"^\s*(?:(?:ERROR|Error(?: code)?): |Traceback \(|(?:[a-z]\w*\.)*[A-Z]\w+(?:Error|Exception|Timeout)\b|"
        rf"(?:{_CODES}):? (?:Bad|Unauth|Forbid|Not Found|Too Many|Internal|Service|Gateway|Client Error|Server Error)|"
        r"HTTP(?:/[\d.]+)?(?: Error| status)? [45]\d\d\b|Connection (?:error|refused|reset|aborted|timed)|"
        rf"(?:{_MESSAGES.rpartition('|')[0]}))",
        is_no_translation=True,
    ),
    Form(
        "no words",
        "have",
        "no letters or digits, unlike {reference}",
        "were these segments skipped? Translate them",
        lines=without_words,
        kinds=("output",),
        is_relative=True,
        is_no_translation=True,
    ),
    Form(
        "same text",
        "are",
        "one text for different segments",
        "translate these segments again; is the text a message, or that of another segment?",
        lines=of_same_text,
        kinds=("output", "reference"),
        share=0.025,
        is_note_below=False,
        is_symptom=True,
        despite=frozenset({"lower case", "upper case"}),
    ),
    Form(
        "source",
        "contain",
        "the source as well as the translation",
        "remove the source",
        lines=with_source,
        kinds=("output",),
        is_no_translation=True,
    ),
    Form(
        "shortened",
        "end",
        "with dots before {reference} does",
        "was the text cut for display? Give it in full",
        strings=("...\n", "…\n"),
        lines=shortened,
        kinds=("output",),
        share=0.05,
        is_note_below=False,
    ),
    Form(
        "unfinished",
        "stop",
        "in the middle: they are shorter than {reference} and lack its final punctuation",
        "was there a limit of tokens? Raise it: max_new_tokens, --max-len-b",
        strings=_FINAL_MARKS,
        lines=unfinished,
        kinds=("output",),
        share=0.03,
        is_note_below=False,
        is_symptom=True,
        is_relative=True,
    ),
    Form(
        "loops",
        "repeat",
        "a few words on and on",
        "translate these segments again, with a limit of tokens or a penalty for repetitions",
        lines=looping,
        kinds=("output", "reference"),
        is_relative=True,
        is_no_translation=True,
    ),
    Form(
        "script",
        "are",
        "in another script than {reference}",
        "are they untranslated?",
        lines=in_other_script,
        kinds=("output", "reference"),
        is_relative=True,
        is_no_translation=True,
    ),
    Form(
        "mixed letters",
        "contain",
        "words with Latin and Cyrillic letters",
        "replace the letters that only look alike, such as Cyrillic а for Latin a",
        pattern="[A-Za-z][Ѐ-ӿ]|[Ѐ-ӿ][A-Za-z]",
        lines=with_mixed_letters,
        kinds=("output", "reference"),
        share=0.03,
    ),
    Form(
        "same start",
        "start",
        "alike, unlike {reference}",
        "is the start no part of the translation? Remove it",
        lines=with_same_start,
        kinds=("output",),
        share=0.5,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "same end",
        "end",
        "alike, unlike {reference}",
        "is the end no part of the translation? Remove it",
        pattern=".{0,45}$",
        lines=with_same_end,
        kinds=("output",),
        share=0.5,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "small start",
        "start",
        "with a small letter, unlike {reference}",
        "is the text truecased? Restore the capitals at the start",
        lines=with_small_start,
        kinds=("output", "reference"),
        share=0.4,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "no spaces",
        "lack",
        "the spaces that {reference} has",
        "give the text as the system wrote it, with its spaces",
        strings=(", ", ". "),
        lines=without_spaces,
        kinds=("output", "reference"),
        share=0.15,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "no punctuation",
        "lack",
        "the punctuation that {reference} has",
        "give the text as the system wrote it: metrics remove no punctuation from the reference",
        strings=tuple(".,!?;:。，、！？।؟،"),
        lines=lacking_throughout,
        kinds=("output", "reference"),
        share=0.2,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "no accents",
        "lack",
        "the umlauts and accents that {reference} has",
        "give the text as the system wrote it, as UTF-8",
        strings=tuple(_ACCENTED),
        lines=without_accents,
        kinds=("output", "reference"),
        share=0.1,
        is_note_below=False,
        is_symptom=True,
    ),
    Form(
        "twice",
        "contain",
        "two translations, and are twice as long as {reference}",
        "keep one translation of each segment",
        lines=twice,
        kinds=("output",),
        share=0.03,
        is_note_below=False,
        is_symptom=True,
    ),
)
