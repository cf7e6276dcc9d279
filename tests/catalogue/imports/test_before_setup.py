"""An import into a data folder that nobody has set up says so in one sentence."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings


def test_an_import_before_the_set_up_names_the_remedy(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Finca\n\nBut du jeu :\nRécoltez.", encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    environment["LUDOTHECA_DATA"] = str(tmp_path / "data")
    environment |= {"LUDOTHECA_LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "manage.py", "import_records", str(rules)],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr
