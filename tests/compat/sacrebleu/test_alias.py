"""`sys.modules["sacrebleu"] = assay.compat.sacrebleu`, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

ALIAS = """
import sys
import assay.compat.sacrebleu
sys.modules["sacrebleu"] = assay.compat.sacrebleu
"""


@pytest.mark.parametrize(
    "code",
    [
        # the same classes by every name
        """
        import sacrebleu
        from sacrebleu.metrics.bleu import BLEU, BLEUScore
        from sacrebleu.metrics import CHRF
        from sacrebleu.metrics.base import Metric
        assert sacrebleu.BLEU is BLEU is assay.compat.sacrebleu.metrics.bleu.BLEU
        assert isinstance(sacrebleu.corpus_bleu(["a"], [["a"]]), BLEUScore)
        assert issubclass(CHRF, Metric)
        """,
        # a submodule that has not been imported before
        """
        import sacrebleu.significance
        from sacrebleu.significance import PairedTest
        assert sys.modules["sacrebleu.significance"] is sys.modules["assay.compat.sacrebleu.significance"]
        assert sacrebleu.significance.__spec__.name == "assay.compat.sacrebleu.significance"
        PairedTest([("a", ["x"]), ("b", ["y"])], {"BLEU": sacrebleu.BLEU()}, [["x"]])
        """,
        """
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        from sacrebleu.tokenizers import tokenizer_zh
        assert Tokenizer13a()("a,b.") == "a , b ."
        """,
        # modules that do not exist
        """
        import importlib.util
        try:
            import sacrebleu.nonsense
        except ModuleNotFoundError as error:
            assert error.name == "assay.compat.sacrebleu.nonsense"
        else:
            raise AssertionError
        """,
    ],
)
def test_an_alias(code):
    done = subprocess.run([sys.executable, "-c", ALIAS + dedent(code)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_sacrebleu_itself_stays_what_it_is():
    code = """
    import assay.compat.sacrebleu, sacrebleu
    from sacrebleu.metrics import BLEU
    assert BLEU.__module__ == "sacrebleu.metrics.bleu"
    assert sacrebleu.__file__ != assay.compat.sacrebleu.__file__
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
