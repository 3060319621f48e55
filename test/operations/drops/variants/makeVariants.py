"""Makes the files of this folder with the tools that sellers use (expected.ts says what becomes of each):

    pip install openpyxl xlsxwriter pandas pyarrow polars duckdb fastparquet
    apt-get install --no-install-recommends libreoffice-calc
    python makeVariants.py

The tests read the files that are checked in, so that they need none of these. Without LibreOffice its files stay as they are.
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
import polars
import pyarrow
import pyarrow.parquet
import pyarrow.parquet.encryption
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


def by_pyarrow(name, columns, **options):
    pyarrow.parquet.write_table(pyarrow.table(columns), HERE / name, **options)


def by_duckdb(name, query):
    duckdb.sql(f"copy ({query}) to '{HERE / name}' (format parquet)")


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

# Dates and times. A cell is read by what its column is; what does not say the value of its column is refused.
RUN = ["record_type", "network", "air_date", "air_time", "clock", "spot_length", "isci", "status"]
DAY = datetime.date(2030, 6, 5)
NIGHT = datetime.time(23, 41, 10)
MOMENT = datetime.datetime(2030, 6, 5, 19, 30)


def run(air_date, air_time, clock="calendar", isci="ABCD1234"):
    return ["as_run", "NET", air_date, air_time, clock, 30, isci, "Aired"]


by_openpyxl(
    "cells-openpyxl.xlsx",
    [
        RUN,
        run(DAY, NIGHT),
        run(DAY, datetime.timedelta(hours=25, minutes=10), "broadcast"),
        run(MOMENT, MOMENT),
        run("2030-06-05", "9:05:00"),
        run(DAY, NIGHT, isci=datetime.date(2030, 6, 1)),
        run(NIGHT, NIGHT),
        run(DAY, DAY),
        run(DAY, NIGHT, isci=True),
        run(DAY, NIGHT, isci=1234567890123456),
    ],
)
by_libreoffice("cells-openpyxl.xlsx", "cells-libreoffice.xlsx")
TEXTS = {"record_type": ["as_run"] * 3, "network": ["NET"] * 3, "spot_length": [30] * 3, "status": ["Aired"] * 3}
polars.DataFrame(
    {**TEXTS, "air_date": [DAY] * 3, "air_time": [NIGHT, datetime.time(19, 30), datetime.time(0, 0)], "isci": ["A", "B", "C"]}
).write_parquet(HERE / "cells-polars.parquet")
pandas.DataFrame(
    {**TEXTS, "air_date": [MOMENT] * 3, "air_time": [MOMENT, MOMENT, datetime.datetime(2030, 6, 5)], "isci": ["A", "B", "C"]}
).to_parquet(HERE / "cells-pandas.parquet")
by_pyarrow(
    "cells-pyarrow.parquet",
    {
        **TEXTS,
        "air_date": [DAY] * 3,
        "air_time": pyarrow.array([NIGHT] * 3, pyarrow.time32("s")),
        "isci": [datetime.date(2030, 6, 1), None, None],
    },
)

INVOICE = ["record_type", "seller_order_id", "network", "air_date", "air_time", "spot_length", "invoice_number", "invoice_date"]
INVOICE += ["broadcast_month", "currency", "run_code", "rate"]


def bill(month):
    return ["invoice", "S-1", "NET", DAY, datetime.time(19, 30), 30, "I-1", datetime.date(2030, 7, 1), month, "USD", "Y", 100]


by_openpyxl("months-openpyxl.xlsx", [INVOICE, bill(datetime.date(2030, 6, 1)), bill("2030-06"), bill(datetime.date(2030, 5, 27))])
by_xlsxwriter(
    "periods-xlsxwriter.xlsx",
    [
        AVAILS,
        ["prime", "day", DAY, "available", 1],
        ["prime", "month", datetime.date(2030, 7, 1), "available", 2],
        ["prime", "week", datetime.date(2030, 6, 3), "available", 3],
        ["prime", "month", DAY, "available", 4],
    ],
    default_date_format="mmm yyyy",
)
by_duckdb(
    "periods-duckdb.parquet",
    """select 'prime' as product_id, grain as "period.grain", day::date as "period.start", 'available' as state, 1 as "spots.available"
    from (values ('day', '2030-06-05'), ('month', '2030-07-01'), ('week', '2030-06-03'), ('month', '2030-06-05')) t(grain, day)""",
)

# Sheets and rows that nobody sees.
def sheets(name, visible):
    book = xlsxwriter.Workbook(str(HERE / name))
    old = book.add_worksheet("Old rates")
    old.write_row(0, 0, RATES)
    old.write_row(1, 0, rate(1))
    old.hide()
    for title in visible:
        sheet = book.add_worksheet(title)
        sheet.write_row(0, 0, RATES)
        sheet.write_row(1, 0, rate(2700))
    book.worksheets()[1].activate()
    book.worksheets()[1].set_first_sheet()
    book.close()


sheets("hidden-first.xlsx", ["Rates"])
sheets("hidden-and-more.xlsx", ["Rates", "R&D", "Notes"])
by_libreoffice("hidden-first.xlsx", "hidden-libreoffice.xlsx")


def filtered(sheet):
    sheet.auto_filter.ref = "A1:G5"
    sheet.auto_filter.add_filter_column(3, ["30"])
    sheet.row_dimensions[3].hidden = True
    sheet.row_dimensions[5].hidden = True


by_openpyxl("filtered-openpyxl.xlsx", [RATES, rate(1), rate(2, 15), rate(3, 60), rate(4, 10)], filtered)
by_libreoffice("filtered-openpyxl.xlsx", "filtered-libreoffice.xlsx")
by_openpyxl("all-hidden-openpyxl.xlsx", [RATES, rate(1)])
changed("all-hidden-openpyxl.xlsx", "all-hidden.xlsx", "xl/workbook.xml", b'state="visible"', b'state="veryHidden"')
(HERE / "all-hidden-openpyxl.xlsx").unlink()

# Moments with a zone, and numbers with more digits than were meant.
AIRED = pandas.DatetimeIndex(["2030-06-05 21:10:00", "2030-06-05 20:00:00", "2030-06-05 00:30:00"])
for zone, name in [("America/New_York", "new-york"), ("Europe/Berlin", "berlin"), ("UTC", "utc")]:
    times = AIRED.tz_localize(zone)
    frame = pandas.DataFrame({**TEXTS, "air_date": times, "air_time": times, "isci": ["A", "B", "C"]})
    frame.to_parquet(HERE / f"zone-{name}-pandas.parquet")
    if zone == "America/New_York":
        polars.from_pandas(frame).write_parquet(HERE / f"zone-{name}-polars.parquet")
        frame.to_parquet(HERE / "zone-int96-pandas.parquet", use_deprecated_int96_timestamps=True)
by_duckdb(
    "zone-duckdb.parquet",
    """select 'as_run' as record_type, 'NET' as network, '2030-06-05 21:10:00-04'::timestamptz as air_date, '21:10' as air_time,
    30 as spot_length, 'Aired' as status""",
)
KEY = {
    "product_id": ["prime"] * 4,
    "market_class": ["scatter"] * 4,
    "advertiser_class": ["general"] * 4,
    "spot_length": [30.0, 15.0, 60.0, 10.0],
    "buy_type": ["preemptible"] * 4,
    "currency": ["USD"] * 4,
}
PRICES = [4200.10, 451.00000000000006, 0.1 + 0.2, 12.34]
by_pyarrow("doubles-pyarrow.parquet", {**KEY, "gross_rate_unit": PRICES})
by_pyarrow("floats-pyarrow.parquet", {**KEY, "gross_rate_unit": pyarrow.array(PRICES, pyarrow.float32())})
pandas.DataFrame({**KEY, "gross_rate_unit": PRICES}).to_csv(HERE / "doubles-pandas.csv", index=False)
polars.DataFrame({**KEY, "gross_rate_unit": PRICES}).write_excel(HERE / "doubles-polars.xlsx")
by_pyarrow("long-pyarrow.parquet", {**KEY, "gross_rate_unit": [12.34, 1e15, float("nan"), 2.0]})

# Structs, and columns that cannot be read.
PRODUCT = {
    "product_id": ["prime", "late"],
    "type": ["daypart"] * 2,
    "network": ["NET"] * 2,
    "buy_types": [["preemptible"]] * 2,
    "definition": [{"selling_title": "Prime", "days": ["Mon", "Tue"], "start": datetime.time(19), "end": datetime.time(22), "timezone": "UTC"}] * 2,
}
BILLBOARD = [{"rank": 3, "share": 0.1 + 0.2, "since": DAY, "note": None}, None]
by_pyarrow("billboard-pyarrow.parquet", {**PRODUCT, "billboard": BILLBOARD, "artwork": [b"\xff\xd8\xff", b"\x00"]})
polars.DataFrame({**PRODUCT, "billboard": BILLBOARD}).write_parquet(HERE / "billboard-polars.parquet")
MAPS = pyarrow.array([{"rank": 3, "of": 10}, None], pyarrow.map_(pyarrow.string(), pyarrow.int64()))
by_pyarrow("maps-pyarrow.parquet", {**PRODUCT, "billboard": MAPS})
EFFECTIVE = [{"start": DAY, "end": datetime.date(2030, 8, 31)}] * 4
by_pyarrow("effective-pyarrow.parquet", {**KEY, "gross_rate_unit": PRICES, "effective": EFFECTIVE, "commit": ["c"] * 4})
by_pyarrow(
    "nulls-pyarrow.parquet",
    {**KEY, "gross_rate_unit": PRICES, "clearance_tier": pyarrow.array([None] * 4, pyarrow.string())},
    data_page_version="2.0",
    compression="snappy",
)
by_pyarrow("bytes-pyarrow.parquet", {**KEY, "gross_rate_unit": PRICES, "clearance_tier": [b"\xff"] * 4})
by_duckdb(
    "interval-duckdb.parquet",
    """select 'as_run' as record_type, 'NET' as network, '2030-06-05'::date as air_date, interval '19 hours' as air_time, 30 as spot_length,
    'Aired' as status""",
)


class Keys(pyarrow.parquet.encryption.KmsClient):
    """Keeps keys as they are, since the file is never read with them."""

    def __init__(self, config):
        super().__init__()

    def wrap_key(self, key_bytes, master_key_identifier):
        return key_bytes.hex()

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return bytes.fromhex(wrapped_key)


def encrypted(name, column):
    columns = pyarrow.table({**KEY, "gross_rate_unit": PRICES, "notes": ["a"] * 4})
    config = pyarrow.parquet.encryption.EncryptionConfiguration(footer_key="footer", plaintext_footer=True, column_keys={"column": [column]})
    factory = pyarrow.parquet.encryption.CryptoFactory(Keys)
    properties = factory.file_encryption_properties(pyarrow.parquet.encryption.KmsConnectionConfig(), config)
    with pyarrow.parquet.ParquetWriter(HERE / name, columns.schema, encryption_properties=properties) as writer:
        writer.write_table(columns)


encrypted("encrypted-pyarrow.parquet", "gross_rate_unit")
encrypted("encrypted-notes-pyarrow.parquet", "notes")

# Dialects of csv, as Excel, LibreOffice and other programs write them.
def csv(name, lines, encoding="utf-8"):
    (HERE / name).write_bytes("".join(f"{line}\r\n" for line in lines).encode(encoding))


HEAD = ",".join([*RATES, "clearance_tier", "audience_code"])
LINE = "prime,scatter,general,{},preemptible,USD,{}"
csv("sep-semicolons.csv", ["sep=;", HEAD.replace(",", ";"), (LINE + ",,").format(30, "1250.50").replace(",", ";"), '"prime";scatter;"gen;eral";15;preemptible;USD;1'])
csv("sep-commas.csv", ['"sep=,"', HEAD, LINE.format(30, 1250)], "utf-8-sig")
csv("short-rows.csv", [HEAD, LINE.format(30, "+1250"), LINE.format(15, ".85"), LINE.format(60, 2) + ",P2,,,,", LINE.format(10, 1) + ",,,x", "prime,scatter"])
csv("title.csv", ["Spring rates; draft", "", HEAD, LINE.format(30, 1250)])
csv("semicolons.csv", [HEAD.replace(",", ";"), LINE.format(30, "1250").replace(",", ";")])
csv("semicolons-and-a-comma.csv", [HEAD.replace(",", ";") + ";notes, remarks", LINE.format(30, "1250").replace(",", ";")])
csv("decimal-commas.csv", [HEAD, *[LINE.format(seconds, '"1250,50"') for seconds in [15, 30, 60]], LINE.format(10, '"1,250"')])
csv("words.csv", [HEAD, LINE.format(30, "1.25E+03"), LINE.format(15, "$1250"), LINE.format("60s", "1"), LINE.format(10, "12.3456789012345678")])
csv("cp1252.csv", [HEAD, LINE.format(30, 1250).replace("general", "général")], "cp1252")
csv("utf-16.csv", [HEAD.replace(",", "\t"), LINE.format(30, 1250).replace(",", "\t")], "utf-16")
by_openpyxl("title-openpyxl.xlsx", [["Spring rates"], [], RATES, rate(1250)])
pandas.DataFrame([rate(1250.5), rate(0.85, 15)], columns=RATES).to_csv(HERE / "semicolons-pandas.csv", sep=";", decimal=",", index=False)
by_libreoffice("title-openpyxl.xlsx", "title-libreoffice.csv:Text - txt - csv (StarCalc):44,34,76,1")

# JSON of programs, which write null for a cell without a value.
SENT = {
    "product_id": ["prime", "prime"],
    "period": [{"grain": "week", "start": "2030-W23"}, {"grain": "week", "start": "2030-W24"}],
    "state": ["available", "unavailable"],
    "basis": ["measured", None],
    "spots": [{"available": 10}, {"available": 0}],
    "units": [None, None],
    "impressions": [{"source": "Nielsen", "stream": "C3", "HH": {"per_spot": 1200}, "P2": None}, None],
}
pandas.DataFrame(SENT).to_json(HERE / "nulls-pandas.json", orient="records")
polars.DataFrame(SENT).write_ndjson(HERE / "nulls-polars.json")
pandas.DataFrame(SENT).to_json(HERE / "wrapped-pandas.json", orient="table", index=False)
(HERE / "wrapped-other.json").write_text('{"data": {"avails": []}}')
(HERE / "wrapped-catalog.json").write_text('{"products": [{"product_id": "prime"}]}')
DAYS = [["Monday"], ["M-F"], ["mon", "tue"]]
TIMES = [("7:00 PM", "22:00"), ("19:00", "24:00"), ("19h", "9:30:00")]
pandas.DataFrame(
    {
        "product_id": ["a", "b", "c"],
        "type": "daypart",
        "network": "NET",
        "buy_types": "preemptible",
        "definition.selling_title": "Prime",
        "definition.days": ["|".join(days) for days in DAYS],
        "definition.start": [start for start, _ in TIMES],
        "definition.end": [end for _, end in TIMES],
        "definition.timezone": "UTC",
        "effective.start": ["06/05/2030", "2030-06-05", "2030-06-05"],
        "effective.end": "2030-08-31",
    }
).to_csv(HERE / "days-pandas.csv", index=False)

# What has been read right all along, and stays so.
FRAME = pandas.DataFrame([rate(1250.5), rate(0.85, 15), rate(3, 60)], columns=RATES)
FRAME.to_csv(HERE / "plain-pandas.csv", index=False)
FRAME.to_csv(HERE / "index-pandas.csv")
FRAME.to_csv(HERE / "quoted-pandas.csv", index=False, quoting=1, lineterminator="\r\n", encoding="utf-8-sig")
FRAME.to_csv(HERE / "returns-pandas.csv", index=False, lineterminator="\r")
FRAME.to_csv(HERE / "gzip-pandas.csv.gz", index=False, compression={"method": "gzip", "mtime": 0})
(HERE / "gzip-pandas.csv.gz").rename(HERE / "gzip-pandas.csv")
polars.from_pandas(FRAME).write_csv(HERE / "plain-polars.csv")
polars.from_pandas(FRAME).write_csv(HERE / "tabs-polars.csv", separator="\t")
FRAME.to_excel(HERE / "plain-pandas.xlsx", index=False)
FRAME.to_excel(HERE / "index-pandas.xlsx")
FRAME.to_parquet(HERE / "plain-pandas.parquet")
FRAME.set_index("product_id").to_parquet(HERE / "index-pandas.parquet")
FRAME.to_parquet(HERE / "fastparquet-pandas.parquet", engine="fastparquet", index=False)
FRAME.astype({"product_id": "category", "spot_length": "Int64", "buy_type": "string"}).to_parquet(HERE / "types-pandas.parquet")
polars.from_pandas(FRAME).write_parquet(HERE / "zstd-polars.parquet", compression="zstd")
polars.from_pandas(FRAME).with_columns(polars.col("product_id").cast(polars.Categorical)).write_parquet(HERE / "categories-polars.parquet")
COLUMNS = {name: FRAME[name].tolist() for name in RATES}
by_pyarrow("groups-pyarrow.parquet", COLUMNS, row_group_size=1, use_dictionary=False, version="1.0")
by_pyarrow("v2-pyarrow.parquet", COLUMNS, data_page_version="2.0", compression="zstd", use_byte_stream_split=["gross_rate_unit"], use_dictionary=False)
by_pyarrow(
    "wide-pyarrow.parquet",
    {
        **COLUMNS,
        "product_id": pyarrow.array(COLUMNS["product_id"], pyarrow.large_string()),
        "spot_length": pyarrow.array(COLUMNS["spot_length"], pyarrow.uint8()),
        "currency": pyarrow.array(["USD"] * 3).dictionary_encode(),
        "gross_rate_unit": pyarrow.array([decimal.Decimal("1250.50"), decimal.Decimal("0.85"), decimal.Decimal(3)], pyarrow.decimal256(40, 2)),
        "guaranteed_impressions": pyarrow.array([None, None, None], pyarrow.null()),
    },
)
duckdb.register("frame", FRAME)
by_duckdb("plain-duckdb.parquet", "select * from frame")
by_duckdb(
    "types-duckdb.parquet",
    """select product_id, market_class::enum('scatter', 'discounted') as market_class, advertiser_class, spot_length::hugeint as spot_length, buy_type,
    currency, gross_rate_unit::decimal(18, 3) as gross_rate_unit from frame""",
)
duckdb.sql(f"copy (select * from frame) to '{HERE / 'plain-duckdb.json'}' (format json)")
duckdb.sql(f"copy (select * from frame) to '{HERE / 'array-duckdb.json'}' (format json, array true)")
TABLE = [RATES, *FRAME.values.tolist()]
by_xlsxwriter("inline-xlsxwriter.xlsx", TABLE, constant_memory=True)


def shown(sheet):
    for row in range(2, 5):
        sheet.cell(row, 7).number_format = '"$"#,##0.00'
    sheet["A1"].hyperlink = "https://example.com"
    sheet["D2"].number_format = "0 \"s\""
    sheet.append([])
    sheet.append([None] * 7)
    sheet.freeze_panes = "A2"


by_openpyxl("shown-openpyxl.xlsx", TABLE, shown)
by_libreoffice("shown-openpyxl.xlsx", "shown-libreoffice.csv:Text - txt - csv (StarCalc):44,34,76,1")
by_libreoffice("shown-openpyxl.xlsx", "plain-libreoffice.ods")
(HERE / "plain-libreoffice.ods").rename(HERE / "ods-libreoffice.xlsx")
by_libreoffice("shown-openpyxl.xlsx", "plain-libreoffice.xls")
(HERE / "plain-libreoffice.xls").rename(HERE / "xls-libreoffice.xlsx")
book = xlsxwriter.Workbook(str(HERE / "rich-xlsxwriter.xlsx"))
sheet = book.add_worksheet()
bold = book.add_format({"bold": True})
for at, row in enumerate(TABLE):
    sheet.write_row(at, 0, row)
sheet.write_rich_string(1, 0, bold, "pri", "me")
sheet.write_string(2, 3, "15")
sheet.write_comment(1, 1, "a note")
sheet.add_table(0, 0, 3, 6, {"columns": [{"header": name} for name in RATES]})
book.add_chartsheet("Chart")
book.close()
