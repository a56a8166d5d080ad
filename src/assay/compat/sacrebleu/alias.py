"""`sys.modules["sacrebleu"] = assay.compat.sacrebleu` works as one expects.

Without this, `import sacrebleu.metrics` would find the files of this package and run them a second time under the
other name, with a second class BLEU that is not the first.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["support_aliases"]

_PACKAGE = __package__


def support_aliases() -> None:
    """Import submodules of any top-level alias of this package as the modules they are."""
    if _Submodules not in sys.meta_path:
        sys.meta_path.insert(0, _Submodules)  # before the finder of files


class _Submodules:
    """Finds and loads the submodules of aliases of the package."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to import a submodule of an alias; None for all other modules."""
        root, _, rest = fullname.partition(".")
        if not rest or sys.modules.get(root) is not sys.modules[_PACKAGE]:
            return None
        module = importlib.import_module(f"{_PACKAGE}.{rest}")
        return ModuleSpec(fullname, cls, loader_state=module.__spec__)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """The module itself."""
        original: ModuleSpec = spec.loader_state
        return sys.modules[original.name]

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Nothing has to run again, but importing has put the specification of the alias into the module."""
        if module.__spec__ is not None and isinstance(module.__spec__.loader_state, ModuleSpec):
            module.__spec__ = module.__spec__.loader_state
