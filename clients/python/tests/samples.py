"""The samples of a page, by the heading that they stand under. `python samples.py PAGE FOLDER` writes each into a file."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def samples_of(page: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    heading = ""
    for part in re.split(r"^(#+ .*|```python\n(?:(?!```).*\n)*```)$", page.read_text(), flags=re.MULTILINE):
        if part.startswith("#"):
            heading = part.lstrip("# ").strip()
        elif part.startswith("```python"):
            if heading in found:
                raise ValueError(f"{page} has two samples under {heading}.")
            found[heading] = part.removeprefix("```python\n").removesuffix("```")
    return found


if __name__ == "__main__":
    page, folder = map(Path, sys.argv[1:])
    for heading, source in samples_of(page).items():
        (folder / f"{page.stem}_{re.sub('[^a-z]+', '_', heading.lower())}.py").write_text(source)
