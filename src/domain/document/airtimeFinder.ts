import type { Product } from '../../contract/product.ts'
import type { Weekday } from '../../contract/vocabulary.ts'
import type { ReadLine } from './reading.ts'
import { wordOf } from './readValue.ts'

/** When a line airs, in minutes of the broadcast day from 06:00 to 30:00. */
interface Airtime {
  readonly days: ReadonlySet<string>
  readonly start: number
  readonly end: number
}

/** The products that air when a line does: on just its days and in just its window, or within a wider one. */
export interface AiringProducts {
  readonly equal: readonly Product[]
  readonly within: readonly Product[]
}

/**
 * Finds the products that air when lines do, on the network that they name, if they name one. Reads the catalog once, page by page, and keeps a
 * bounded number of products for each airtime.
 */
export interface AirtimeFinder {
  add(product: Product): void
  /** Undefined for a line that does not say its days and window. */
  find(read: ReadLine): AiringProducts | undefined
}

interface Sought {
  readonly airtime: Airtime
  readonly network: string | undefined
  readonly equal: Product[]
  readonly within: Product[]
}

export function airtimeFinder(lines: readonly ReadLine[]): AirtimeFinder {
  const sought = new Map<string, Sought>()
  for (const read of lines) {
    const airtime = airtimeOf(read)
    const key = keyOf(read)
    if (airtime === undefined || sought.has(key)) continue
    sought.set(key, { airtime, network: read.network && wordOf(read.network.read), equal: [], within: [] })
  }
  return {
    add(product) {
      if (sought.size === 0) return
      const windows = windowsOf(product)
      const network = wordOf(product.network)
      for (const each of sought.values()) {
        if (each.network !== undefined && each.network !== network) continue
        if (windows.length === 1 && isEqual(each.airtime, windows[0] as Airtime)) put(each.equal, product)
        else if (windows.some((window) => isWithin(each.airtime, window))) put(each.within, product)
      }
    },
    find: (read) => sought.get(keyOf(read)),
  }
}

/** The most products to keep for an airtime, in a catalog of any size. */
const LOOKED_AT = 100

function put(products: Product[], product: Product): void {
  if (products.length < LOOKED_AT) products.push(product)
}

function keyOf({ network, days, start, end }: ReadLine): string {
  return [network, days, start, end].map((value) => value?.read ?? '').join('|')
}

function airtimeOf({ days, start, end }: ReadLine): Airtime | undefined {
  if (days === undefined || start === undefined || end === undefined) return undefined
  return { days: new Set(days.read.split(' ')), start: minutesOf(start.read), end: minutesOf(end.read) }
}

/** A program airs on dates, of which no line of weekdays says whether they are all of its. */
function windowsOf(product: Product): Airtime[] {
  if (product.type === 'program') return []
  const windows = product.type === 'daypart' ? [product.definition] : product.definition.windows
  return windows.map(({ days, start, end }) => inBroadcastDay(days, minutesOf(start), minutesOf(end)))
}

/** Times of a product are of the clock; those before 06:00 end the broadcast day before. */
function inBroadcastDay(days: readonly Weekday[], from: number, to: number): Airtime {
  const start = from < BEGINS ? from + DAY : from
  let end = to
  while (end <= start) end += DAY
  return { days: new Set(days), start, end }
}

const BEGINS = 360
const DAY = 1440

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function isEqual(a: Airtime, b: Airtime): boolean {
  return a.start === b.start && endsAlike(a.end, b.end) && a.days.size === b.days.size && isWithin(a, b)
}

/** A window to 11:59 pm is one to midnight. */
function endsAlike(a: number, b: number): boolean {
  return a === b || Math.min(a, b) + 1 === Math.max(a, b)
}

function isWithin(line: Airtime, window: Airtime): boolean {
  const isInTime = line.start >= window.start && (line.end <= window.end || endsAlike(line.end, window.end))
  return isInTime && [...line.days].every((day) => window.days.has(day))
}
