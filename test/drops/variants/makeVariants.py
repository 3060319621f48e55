"""Makes the files of this folder with the tools that sellers use:

    pip install openpyxl xlsxwriter pandas pyarrow polars duckdb
    apt-get install --no-install-recommends libreoffice-calc
    python makeVariants.py

The tests read the files that are checked in, so that they need none of these. Without LibreOffice its files stay as they are.
"""

import pathlib
import shutil
import subprocess
import tempfile
import zipfile

import openpyxl
import xlsxwriter

HERE = pathlib.Path(__file__).parent

RATES = ["product_id", "market_class", "advertiser_class", "spot_length", "buy_type", "currency", "gross_rate_unit"]
AVAILS = ["product_id", "period.grain", "period.start", "state", "spots.available"]


def rate(price, spot_length=30):
    return ["prime", "scatter", "general", spot_length, "preemptible", "USD", price]


def avail(week, spots, state="available"):
    return ["prime", "week", f"2030-W{week}", state, spots]


def by_xlsxwriter(name, rows, **options):
    book = xlsxwriter.Workbook(str(HERE / name), options)
    sheet = book.add_worksheet()
    for at, row in enumerate(rows):
        sheet.write_row(at, 0, row)
    book.close()


def by_openpyxl(name, rows, change=lambda sheet: None):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book.active)
    book.save(HERE / name)


def changed(source, name, part, old, new):
    """Copies a workbook with another text in one part, as programs leave it that do not write that text."""
    with zipfile.ZipFile(HERE / source) as before, zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as after:
        for item in before.infolist():
            content = before.read(item.filename)
            if item.filename == part:
                assert old in content, content
                content = content.replace(old, new)
            after.writestr(item, content)


def by_libreoffice(name, target):
    """Opens a workbook of this folder in LibreOffice, and saves it as `target`: 'name.ext' or 'name.ext:filter'."""
    if shutil.which("soffice") is None:
        return
    to, _, convert = target.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / f"{pathlib.Path(to).stem}{pathlib.Path(name).suffix}"
        shutil.copy(HERE / name, source)
        out = pathlib.Path(folder) / "out"
        extension = pathlib.Path(to).suffix[1:]
        form = f"{extension}:{convert}" if convert else extension
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", form, "--outdir", str(out), str(source)],
            check=True,
        )
        shutil.copy(out / to, HERE / to)


# Formulas. xlsxwriter writes 0 for each, and openpyxl no value; both ask for a calculation when the workbook is opened.
# LibreOffice calculates those without a value, and saves the zeros of others without asking for anything.
FORMULAS = [RATES, rate("=2000+700"), rate("=D3-D3", 60), rate(15, 15)]
by_xlsxwriter("formulas-xlsxwriter.xlsx", FORMULAS)
by_openpyxl("formulas-openpyxl.xlsx", FORMULAS)
changed("formulas-xlsxwriter.xlsx", "formulas-zero.xlsx", "xl/workbook.xml", b' fullCalcOnLoad="1"', b"")
by_libreoffice("formulas-openpyxl.xlsx", "formulas-libreoffice.xlsx")
by_libreoffice("formulas-xlsxwriter.xlsx", "formulas-zero-libreoffice.xlsx")
