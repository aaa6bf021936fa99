"""The pages hold together: links lead to headings that are there, and files that are named in code font exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "models/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s:]*)(?:#([^)\s]+))?\)")
NAMED = re.compile(r"`((?:bot|docs|models|sim|tests|tools|train)/[\w/.-]+)`")


def headings(page: Path) -> set[str]:
    """The anchors of a page, as code hosts make them of its headings."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_named_files_of_a_page_exist(page: Path) -> None:
    text = page.read_text()
    for name, anchor in LINK.findall(text):
        target = (page.parent / name) if name else page
        assert target.exists(), f"a link to {name}, which is not there"
        assert not anchor or anchor in headings(target), f"a link to {name}#{anchor}, which has no such heading"
    patterns = {name: re.sub(r"\b(NAME|UNIT)\b", "*", name).rstrip("/") for name in NAMED.findall(text)}
    missing = [name for name, pattern in patterns.items() if not any(ROOT.glob(pattern))]
    assert not missing, "named, but not there"
