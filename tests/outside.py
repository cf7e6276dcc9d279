"""Programs of other projects that read what we write. Where one is missing its tests are skipped and named in
the summary; in continuous integration (OUTSIDE=1) they fail.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def program(name: str, package: str) -> Path:
    """Where the program is; `package` is Debian's."""
    found = shutil.which(name)
    if found:
        return Path(found)
    message = f"{name} is missing (Debian: apt install {package}): what we write was not shown to it"
    if os.environ.get("OUTSIDE", "0") != "0":
        pytest.fail(message)
    pytest.skip(message)


def run(*command: str | Path, given: bytes = b"") -> bytes:
    """What the program prints; it must end well."""
    done = subprocess.run(command, input=given, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout
