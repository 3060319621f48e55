import { open } from 'node:fs/promises'
import { readRecords } from '../../../adapters/tables/rowReader/csv.ts'
import type { SentEntries, SentEntry } from './sentEntry.ts'

/** Returns true for a station invoice file, which begins with the record of an agency or a station. */
export async function isStationFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return /^(\ufeff)?\s*2[12];/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

type Fields = readonly string[]
type Members = Record<string, unknown>

/**
 * Reads the spots that a station invoice file bills. Its records are lines of fields separated by semicolons: 22 begins a station, 31
 * begins an invoice, 51 is a spot, 34 has the totals. The spots of an invoice are yielded once its totals, which follow them, are read.
 */
export async function* readStationFile(path: string): SentEntries {
  let row = 0
  let station = ''
  let header: Fields = []
  let spots: { row: number; fields: Fields }[] = []
  const finished = (totals: Members): SentEntry[] => {
    const entries = spots.map((spot) => ({
      row: spot.row,
      head: {},
      isStation: true,
      entry: { ...spotOf(spot.fields, header, station), ...totals },
    }))
    spots = []
    return entries
  }
  for await (const records of readRecords(path, { delimiter: ';', hasQuotes: false })) {
    const sent: SentEntry[] = []
    for (const fields of records) {
      row += 1
      const code = fields[0]
      if (code === '51') spots.push({ row, fields })
      else if (code === '34') sent.push(...finished(totalsOf(fields)))
      else if (code === '31' || code === '21' || code === '22') {
        sent.push(...finished({}))
        header = code === '31' ? fields : []
        if (code === '22') station = fields[1] ?? ''
      }
    }
    yield sent
  }
  yield finished({})
}

function spotOf(fields: Fields, header: Fields, station: string): Members {
  const time = timeOf(fields[4])
  return defined({
    record_type: 'invoice',
    // If both numbers are present, the seller's reference identifies the order on the platform.
    ...(said(header[22]) === undefined ? { external_order_id: said(header[21]) } : { seller_order_id: header[22] }),
    network: said(fields[23]) ?? said(header[30]) ?? said(station),
    air_date: dateOf(fields[2]),
    air_time: time,
    clock: time !== undefined && time >= '24' ? 'broadcast' : undefined,
    spot_length: numberOf(fields[5], 0),
    isci: said(fields[6]),
    makegood_for_date: dateOf(fields[10]),
    invoice_number: said(header[8]),
    invoice_date: dateOf(header[5]),
    broadcast_month: monthOf(header[9]),
    run_code: said(fields[1]),
    rate: numberOf(fields[7], 2),
  })
}

function totalsOf(fields: Fields): Members {
  return defined({
    invoice_gross: numberOf(fields[2], 2),
    invoice_commission: numberOf(fields[3], 2),
    invoice_net: numberOf(fields[4], 2),
    invoice_spot_count: numberOf(fields[12], 0),
  })
}

function said(field: string | undefined): string | undefined {
  return field === undefined || field === '' ? undefined : field
}

/** Converts a date. Keeps the text of a field in another form, so that the schema refuses it. */
function dateOf(field: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(field ?? '') ?? []
  return year === undefined ? said(field) : `20${year}-${month}-${day}`
}

function monthOf(field: string | undefined): string | undefined {
  const [, year, month] = /^(\d\d)(\d\d)$/.exec(field ?? '') ?? []
  return year === undefined ? said(field) : `20${year}-${month}`
}

function timeOf(field: string | undefined): string | undefined {
  const [, hour, minute] = /^(\d\d)(\d\d)$/.exec(field ?? '') ?? []
  return hour === undefined ? said(field) : `${hour}:${minute}`
}

/** Converts a whole number whose last digits are decimals. */
function numberOf(field: string | undefined, decimals: number): number | string | undefined {
  if (field === undefined || !/^\d{1,15}$/.test(field)) return said(field)
  return Number(decimals === 0 ? field : `${field.slice(0, -decimals)}.${field.slice(-decimals).padStart(decimals, '0')}`)
}

function defined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
