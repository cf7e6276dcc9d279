"""Programs of other projects read every record that we write, letters and all."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pymarc
import pytest
from django.core.management import call_command

from catalogue.exports.marc import Form
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Copy, Game
from tests.outside import program, run

pytestmark = pytest.mark.django_db
DEMO = Path("fixtures/library")
TITLE = {"unimarc": "200", "marc21": "245"}
BARCODE = {"unimarc": ("995", "f"), "marc21": ("952", "p")}
YAZ_FORM = {
    Form.UNIMARC: "marc",
    Form.UNIMARC_XML: "marcxchange",
    Form.MARC21: "marc",
    Form.MARCXML: "marcxml",
}
FORMS = pytest.mark.parametrize("form", list(Form))


@pytest.fixture
def exported(tmp_path: Path, form: Form) -> Path:
    """The demo library as a file."""
    import_files(sorted(DEMO.glob("records-*.txt")), Options())
    path = tmp_path / "library"
    call_command("export_records", "--format", form.value, path)
    assert Game.objects.count() > 5
    return path


def titles() -> list[str]:
    return list(Game.objects.order_by("pk").values_list("title", flat=True))


@FORMS
def test_pymarc_reads_every_record(exported: Path, form: Form) -> None:
    if form.is_xml:
        records = pymarc.parse_xml_to_array(BytesIO(exported.read_bytes()))  # type: ignore[no-untyped-call]
    else:
        reader = pymarc.MARCReader(exported.read_bytes(), force_utf8=True)
        records = list(reader)
    tag, (boxes, code) = TITLE[form.dialect], BARCODE[form.dialect]
    assert all(records)
    assert [record[tag]["a"] for record in records if record] == titles()
    barcodes = {field[code] for record in records if record for field in record.get_fields(boxes)}
    assert barcodes == set(Copy.objects.values_list("barcode", flat=True))


@FORMS
def test_yaz_reads_every_record_without_a_word_of_complaint(exported: Path, form: Form) -> None:
    yaz = program("yaz-marcdump", "yaz")
    said = run(yaz, "-v", "-i", YAZ_FORM[form], "-o", "line", exported).decode()
    tag = TITLE[form.dialect]
    found = re.findall(rf"^{tag} .. \$a (.+?)(?: \$[a-z] .*)?$", said, re.MULTILINE)
    assert found == titles()
    assert "<!--" not in said
    assert not re.search(r"(?i)\berror|warning|bad|separator but got", said)


@contextmanager
def zebra(records: Path, folder: Path) -> Iterator[str]:
    """The Zebra server on records that it has indexed; gives its address, a socket of the file system."""
    indexer, server = (program(name, "idzebra-2.0-utils") for name in ("zebraidx", "zebrasrv"))
    modules = next(Path("/usr/lib").glob("*/idzebra-2.0/modules"))
    settings = ["profilePath: /usr/share/idzebra-2.0/tab", f"modulePath: {modules}", "attset: bib1.att"]
    settings += ["recordtype: grs.marcxml.marc21", "isam: b", "encoding: UTF-8", "storeData: 1"]
    settings += [f"register: {folder}:50M", f"lockDir: {folder}", ""]
    config, address = folder / "zebra.cfg", f"unix:{folder}/z"
    config.write_text("\n".join(settings))
    run(indexer, "-c", config, "init")
    run(indexer, "-c", config, "update", records)
    with subprocess.Popen([server, "-c", config, address], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            assert any("listen" in line.lower() for line in process.stderr)
            yield address
        finally:
            process.terminate()


@pytest.mark.processes
@pytest.mark.parametrize("form", [Form.MARC21])
def test_a_library_server_indexes_and_finds_our_records(exported: Path, form: Form) -> None:
    """Zebra speaks Z39.50; the path of its socket has to be short."""
    client = program("yaz-client", "yaz")
    asked = b"find @attr 1=4 finca\nformat usmarc\nshow 1\nfind @attr 1=1003 staupe\nquit\n"
    with TemporaryDirectory(prefix="zebra") as folder, zebra(exported, Path(folder)) as address:
        said = run(client, f"{address}:Default", given=asked).decode()
    hits = [int(number) for number in re.findall(r"Number of hits: (\d+)", said)]
    authored = Game.objects.filter(contributors__person__name="Reinhard Staupe").distinct().count()
    assert hits == [1, authored]
    assert "245 10 $a Finca" in said
    assert authored > 1


@pytest.mark.parametrize("form", [Form.UNIMARC, Form.MARC21])
def test_yaz_makes_the_same_of_both_our_forms(exported: Path, tmp_path: Path, form: Form) -> None:
    yaz = program("yaz-marcdump", "yaz")
    twin = tmp_path / "twin.xml"
    xml = {Form.UNIMARC: Form.UNIMARC_XML, Form.MARC21: Form.MARCXML}[form]
    call_command("export_records", "--format", xml.value, twin)
    lines = [
        run(yaz, "-i", YAZ_FORM[one], "-o", "line", path).decode().splitlines()
        for one, path in ((form, exported), (xml, twin))
    ]
    fields = [[line for line in said if re.match(r"\d{3} ", line)] for said in lines]
    assert fields[0] == fields[1] != []
