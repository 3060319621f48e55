"""Makes the files of this folder as other programs write them: pip install pyarrow pandas openpyxl duckdb; python makeFiles.py

Where LibreOffice is installed (apt-get install --no-install-recommends libreoffice-calc), it opens a workbook and saves it, with the value of its
formula and with its own date and time formats, as xlsx and as csv.

The tests read the files that are checked in, so that they need no Python.
"""

import datetime
import decimal
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

import duckdb
import openpyxl
import pandas
import pyarrow
import pyarrow.parquet

HERE = pathlib.Path(__file__).parent
DAY = datetime.date(2030, 6, 5)
UTC = datetime.timezone.utc

avails = pandas.DataFrame(
    {
        "product_id": ["prime", "prime", "late"],
        "period.grain": ["day", "week", "week"],
        "period.start": ["2030-06-05", "2030-W23", "2030-W23"],
        "state": ["available", "projected", "available"],
        "spots.available": [10, 0, 7],
        "sellout_level": [0.25, None, 1.0],
    }
)
avails.to_csv(HERE / "pandas.csv", index=False)
avails.to_parquet(HERE / "pandas-snappy.parquet", index=False)
avails.to_parquet(HERE / "pandas-zstd.parquet", index=False, compression="zstd")
avails.to_parquet(HERE / "pandas-gzip.parquet", index=False, compression="gzip")
avails.to_parquet(HERE / "pandas-brotli.parquet", index=False, compression="brotli")
avails.to_parquet(HERE / "pandas-lz4.parquet", index=False, compression="lz4")
avails.to_excel(HERE / "pandas.xlsx", index=False)
duckdb.sql(
    """create table avails as select * from (values
      ('prime', 'day', '2030-06-05', 'available', 10::bigint, 0.25::double), ('prime', 'week', '2030-W23', 'projected', 0, null),
      ('late', 'week', '2030-W23', 'available', 7, 1)
    ) t ("product_id", "period.grain", "period.start", "state", "spots.available", "sellout_level")"""
)
for name, options in {"duckdb.parquet": "parquet", "duckdb-zstd.parquet": "parquet, compression zstd, parquet_version v2", "duckdb.csv": "csv, header"}.items():
    duckdb.sql(f"copy avails to '{HERE / name}' (format {options})")

rates = pyarrow.table(
    {
        "product_id": ["prime", "prime", "prime"],
        "market_class": ["scatter"] * 3,
        "advertiser_class": ["general"] * 3,
        "spot_length": pyarrow.array([15, 30, 60], pyarrow.int64()),
        "buy_type": ["preemptible"] * 3,
        "gross_rate_unit": [decimal.Decimal("4200.10"), decimal.Decimal("0.05"), decimal.Decimal("99999999999.99")],
        "window.closes": [datetime.datetime(2030, 6, 1, 12, 30, tzinfo=UTC), None, None],
        "effective": [{"start": DAY, "end": DAY + datetime.timedelta(days=20)}] * 3,
        "effective.start": [DAY] * 3,
        "effective.end": [DAY + datetime.timedelta(days=20)] * 3,
    }
)
pyarrow.parquet.write_table(rates.drop_columns(["effective"]), HERE / "decimals.parquet")
floats = rates.select(["product_id", "market_class", "advertiser_class", "spot_length", "buy_type", "effective.start", "effective.end"])
floats = floats.append_column("gross_rate_unit", pyarrow.array([0.1, 1.5, 3], pyarrow.float32()))
pyarrow.parquet.write_table(floats, HERE / "float32.parquet")

nested = pyarrow.table(
    {
        "product_id": ["morning", "film"],
        "type": ["rotator", "program"],
        "network": ["NET", "NET"],
        "buy_types": [["preemptible", "fixed_position"], ["preemptible"]],
        "definition": pyarrow.array(
            [
                {"windows": [{"days": ["Mon", "Tue"], "start": datetime.time(6), "end": datetime.time(9, 30)}]},
                {
                    "title": "The film",
                    "timezone": "America/New_York",
                    "occurrences": [{"date": DAY, "start": datetime.time(20), "end": datetime.time(22)}],
                },
            ],
            pyarrow.struct(
                {
                    "title": pyarrow.string(),
                    "timezone": pyarrow.string(),
                    "windows": pyarrow.list_(
                        pyarrow.struct({"days": pyarrow.list_(pyarrow.string()), "start": pyarrow.time64("us"), "end": pyarrow.time64("us")})
                    ),
                    "occurrences": pyarrow.list_(
                        pyarrow.struct({"date": pyarrow.date32(), "start": pyarrow.time64("us"), "end": pyarrow.time64("us")})
                    ),
                }
            ),
        ),
    }
)
pyarrow.parquet.write_table(nested, HERE / "nested.parquet")

CATALOG = ["product_id", "type", "network", "buy_types", "definition.selling_title", "definition.days", "definition.start", "definition.end"]
CATALOG += ["definition.timezone", "effective.start", "effective.end", "external_ref"]


def workbook(name, rows, more_sheets=False, epoch=None):
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    sheet = book.active
    for row in rows:
        sheet.append(row)
    if more_sheets:
        book.create_sheet("Notes").append(["not read"])
    book.save(HERE / name)


times = ["prime", "daypart", "NET", "preemptible|non_preemptible", "Prime", "Mon|Tue", datetime.time(19), datetime.time(22, 30), "America/New_York"]
dates = [datetime.datetime(2030, 6, 5), datetime.date(2030, 9, 1), 4711]
workbook("dates.xlsx", [CATALOG, [*times, *dates]])
workbook("dates-1904.xlsx", [CATALOG, [*times, *dates]], epoch=openpyxl.utils.datetime.CALENDAR_MAC_1904)

AVAILS = ["product_id", "period.grain", "period.start", "state", "spots.available"]
workbook("sheets.xlsx", [AVAILS, ["prime", "week", "2030-W23", "available", 10]], more_sheets=True)
workbook("formulas.xlsx", [AVAILS, ["prime", "week", "2030-W23", "available", "=5+5"], ["prime", "week", "2030-W24", "available", 3]])
workbook("errors.xlsx", [AVAILS, ["prime", "week", "2030-W23", "available", "#DIV/0!"], ["prime", "week", "2030-W24", "available", 3]])
workbook("beyond.xlsx", [AVAILS, [], ["prime", "week", "2030-W23", "available", 10, "x"], ["prime", "week", "2030-W24", "available", 3]])

book = openpyxl.Workbook()
book.active.append(AVAILS)
book.active.append(["prime", "week", "2030-W23", "available", 10])
book.active.append([None, "week", "2030-W24", "available", 11])
book.active.merge_cells("A2:A3")
book.save(HERE / "merged.xlsx")

# A workbook with macros is one with this part.
with zipfile.ZipFile(HERE / "sheets.xlsx") as source, zipfile.ZipFile(HERE / "macros.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
    for item in source.infolist():
        target.writestr(item, source.read(item.filename))
    target.writestr("xl/vbaProject.bin", b"macro")

if shutil.which("soffice") is not None:
    book = openpyxl.Workbook()
    for row in [CATALOG, [*times, *dates], ["late", *times[1:], *dates[:2], "=2000+700"]]:
        book.active.append(row)
    with tempfile.TemporaryDirectory() as folder:
        book.save(pathlib.Path(folder) / "libreoffice.xlsx")
        profile = f"-env:UserInstallation=file://{folder}/profile"
        for target in ["xlsx:Calc MS Excel 2007 XML", "csv:Text - txt - csv (StarCalc):44,34,76,1"]:
            source = pathlib.Path(folder) / "libreoffice.xlsx"
            subprocess.run(["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(HERE), str(source)], check=True)

        # A buysheet as the pdf that Calc exports: headings are aligned to the left, numbers to the right; the last column is on a further page.
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append(["Product", "Week of", "Rate", "Length", "Units", "Amount"])
        sheet.append(["prime", "2030-W23", 1250.5, 30, 10, 12505])
        sheet.append(["prime", "2030-W24", 1250.5, 30, 4, 5002])
        sheet.append(["Total", None, None, None, 14, 17507])
        for column, width in zip("ABCDEF", [12, 12, 7, 12, 17, 17]):
            sheet.column_dimensions[column].width = width
        source = pathlib.Path(folder) / "libreoffice-buysheet.xlsx"
        book.save(source)
        subprocess.run(["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(HERE), str(source)], check=True)
