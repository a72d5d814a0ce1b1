"""What every test shares: no deadlines, and an environment where skipping fails.

With ``MOHS_NO_SKIPS`` set, a test that would be skipped is a failure, so that a
missing file or program cannot pass for a success. There Hypothesis makes up the same
cases every time, so that one state of the project has one verdict; elsewhere it goes
on looking for new ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator

# Times of single examples say little on a machine that does other work too.
settings.register_profile(
    "mohs", deadline=None, derandomize=bool(os.environ.get("MOHS_NO_SKIPS"))
)
settings.load_profile("mohs")


ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built from the pages as they are now."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


class NoSkips:
    """Turns skipped tests, and modules skipped whole, into failures."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            _fail(report)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if report.skipped:
            _fail(report)
        return report


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    report.outcome = "failed"
    report.longrepr = f"skipped, which MOHS_NO_SKIPS forbids: {report.longrepr[2]}"


def pytest_configure(config: pytest.Config) -> None:
    # Registered here rather than defined as hooks of this file, so that the doctests
    # in src are held to the same.
    if os.environ.get("MOHS_NO_SKIPS"):
        config.pluginmanager.register(NoSkips())
