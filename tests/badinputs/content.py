"""Text that is odd but fine: the same on both sides, it scores 100; sacreBLEU 2.6.0 gives the other values."""

from __future__ import annotations

import functools

from tests.badinputs.case import FILES, JSON, LINES, Case, text

_case = functools.partial(Case, family="content")
_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
_FLAGS = "\U0001f1e9\U0001f1ea \U0001f1ef\U0001f1f5 \U0001f1e9 \U0001f1f0\U0001f1f7 \U0001f3f4\U000e0067\U000e0062"
_BOTH_SIDES = {
    "ZWJ emoji": f"{_FAMILY} went to the beach with {_FAMILY} again",
    "flags and half a flag": f"flags: {_FLAGS} and no more",
    "skin tones": "thumbs \U0001f44d\U0001f3ff up \U0001f44d\U0001f3fb or \U0001f44d down",
    "variation selectors": "a heart \u2764\ufe0f and a heart \u2764\ufe0e to you",
    "keycaps": "press 1\ufe0f\u20e3 or #\ufe0f\u20e3 now please",
    "10,000 combining marks": "one letter a" + "\u0301" * 10_000 + " with many accents",
    "nothing but combining marks": "\u0301\u0302 \u0303 \u0304\u0305 \u0306 \u0307",
    "right to left": "ذهبت القطة إلى البيت في الصباح",
    "mixed directions": "she said שלום עולם and مرحبا to 123 people",
    "direction controls": "text \u202eoverridden\u202c and \u2067isolated\u2069 and back",
    "Arabic and Devanagari digits": "there are ١٢٣ cats and ४५६ dogs here",
    "Thai": "แมวนั่งบนเสื่อในตอนเช้า แล้วก็หลับไป ทั้งวัน ไม่ตื่น",
    "Lao": "ແມວນັ່ງຢູ່ເທິງເສື່ອ ໃນຕອນເຊົ້າ ແລ້ວ ກໍ່ ນອນ",
    "Khmer": "ឆ្មា អង្គុយ លើ កន្ទេល ព្រឹក",
    "Burmese": "ကြောင်သည် ဖျာပေါ်တွင် ထိုင် နေ သည်",
    "unassigned": "a \u0378 b \U000e0fff c \U0003fffd d",
    "noncharacters": "a \uffff b \ufffe c \U0010ffff d",
    "private use": "a \ue000 b \uf8ff c \U000f0000 d \U00100000 e",
    "replacement characters": "was \ufffd\ufffd lost \ufffd here \ufffd",
    "soft hyphens": "Donau\u00addampf\u00adschiff fährt auf der Donau",
    "zero width spaces": "a\u200bb c\u200dd e\u2060f g\u200ch i",
    "control characters": "a \x01 b \x07 c \x1b[31m d \x7f e",
    "ligatures and wide forms": "ﬁne ﬂags Ｗｉｄｅ ｆｏｒｍｓ ㎏ ½",
    "dotted and dotless i": "İstanbul ılık IĞDIR iyi günler",
    "German sharp s": "STRASSE Straße STRAẞE straße",
    "markup": "<b>bold</b> &amp; &lt;i&gt; &quot;x&quot; <skipped> {{ }} ${x} %s",
    "ideographs beyond the basic plane": "𠀀 𠮷 野 家 𪚥 𫝆",
    "old scripts": "𐎠 𐏂 𓀀 𓂀 𒀀 𐤀",
    "mathematical letters": "𝐀 𝒃 𝓒 𝔻 𝕖 𝖋",
}


CASES = (
    *(
        _case(name=name, files={"ref.txt": text(line), "out.txt": text(line)}, bleu=100.0, segments=1)
        for name, line in _BOTH_SIDES.items()
    ),
    _case(
        name="composed and decomposed",
        files={
            "ref.txt": text("Zo\u00eb a\u00dfe Cr\u00e8me br\u00fbl\u00e9e at the caf\u00e9 today"),
            "out.txt": text("Zoe\u0308 a\u00dfe Cre\u0300me bru\u0302le\u0301e at the cafe\u0301 today"),
        },
        bleu=13.134549472120787,
    ),
    _case(
        name="Chinese without a language pair",
        files={"ref.txt": text("猫坐在垫子上。"), "out.txt": text("猫坐在垫子下。")},
        bleu=0.0,
        says=("note: bleu: words are counted between spaces", "(--lp en-zh)"),
    ),
    _case(
        name="Chinese with a language pair",
        files={"ref.txt": text("猫坐在垫子上。"), "out.txt": text("猫坐在垫子上。 ")},
        arguments=(*FILES, *JSON, "--lp", "en-zh"),
        bleu=100.0,
        hides=("note:", "warning:"),
    ),
    _case(
        name="nothing in common",
        files={"out.txt": text(*("x y z " * 3 for _ in LINES))},
        bleu=0.0,
    ),
)
