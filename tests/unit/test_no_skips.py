"""The switch under which a skipped test is a failure."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).parents[1] / "conftest.py"

# The ways to skip, and one that only looks like skipping.
FILES = {
    "test_mark.py": "def test_a():\n    import pytest; pytest.skip('no data')\n",
    "test_module.py": "import pytest\npytest.importorskip('no_such')\n",
    "test_text.py": "'''\n>>> 1 / 0  # doctest: +SKIP\n'''\n",
    "test_fails.py": "import pytest\n@pytest.mark.xfail\ndef test_a(): 1 / 0\n",
}


def counted(folder: Path, switch: str) -> dict[str, str]:
    """Run the files, and return how many tests pytest says had which outcome."""
    command = [sys.executable, "-m", "pytest", "--continue-on-collection-errors"]
    done = subprocess.run(
        [*command, "--doctest-modules", str(folder)],
        env=os.environ | {"MOHS_NO_SKIPS": switch, "PYTEST_ADDOPTS": ""},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    summary = done.stdout.splitlines()[-1]
    return {what: count for count, what in re.findall(r"(\d+) ([a-z]+)\b", summary)}


def test_skips_fail_only_where_they_are_forbidden(tmp_path: Path) -> None:
    shutil.copy(CONFTEST, tmp_path / "conftest.py")
    for name, code in FILES.items():
        (tmp_path / name).write_text(code, "utf-8")
    # The module is skipped twice: as a file of tests and as one of examples.
    assert counted(tmp_path, "") == {"skipped": "4", "xfailed": "1"}
    forbidden = {"failed": "2", "xfailed": "1", "errors": "2"}
    assert counted(tmp_path, "1") == forbidden
