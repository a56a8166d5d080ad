"""The WMT archives, as the scripts find them."""

from scripts.archives import CACHE, folder, is_there, lines, texts, unpacked

__all__ = ["CACHE", "folder", "is_there", "lines", "texts", "unpacked"]
