import fc from 'fast-check'
import { addDays, broadcastMonthOf, dateOfDay } from '../../../src/domain/calendar.ts'
import { decimal, jsonNumber, money } from '../../../src/domain/decimal.ts'
import type { BookedSpots, SpotWindow } from '../../../src/domain/settlement/bookedSpots.ts'
import { broadcastDayOf, localTime, secondsOf } from '../../../src/domain/settlement/localTime.ts'
import type { ReconcileInput } from '../../../src/domain/settlement/reconcile.ts'
import type { SellerRow } from '../../../src/domain/settlement/sellerRows.ts'

/** Orders and their sellers' rows, for properties: few networks, dates and copies, so that rows compete for spots. */

/** Both changes of New York's clocks, and the week of 2027-01-01, which is 2026-W53. */
const MONDAYS = ['2026-12-28', '2027-03-08', '2027-11-01']
const NETWORKS = ['CBL', 'NET2']
const COPIES = ['COPY1', 'COPY2', 'COPY3']
const PRICES = ['100', '100.005', '250.5', '1302.925', '0.01']

const time = fc
  .tuple(fc.nat({ max: 23 }), fc.constantFrom('00', '15', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const someWindow: fc.Arbitrary<SpotWindow> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom({ start: '20:00', end: '23:00' }, { start: '23:00', end: '02:00' }, { start: '06:00', end: '06:00' }),
  },
  { weight: 1, arbitrary: fc.record({ start: time, end: time }) },
)

const someLine = (mostWindows: number) =>
  fc.record({
    network: fc.constantFrom(...NETWORKS),
    price: fc.constantFrom(...PRICES),
    spot_length: fc.constantFrom(15, 30, 30, 30),
    isci: fc.subarray(COPIES),
    windows: fc.array(someWindow, { minLength: 1, maxLength: mostWindows }),
    monday: fc.constantFrom(...MONDAYS),
    dates: fc.uniqueArray(fc.nat({ max: 13 }), { minLength: 1, maxLength: 4 }),
    units: fc.integer({ min: 1, max: 3 }),
    mirrored: fc.nat({ max: 4 }).map((drawn) => drawn === 0),
  })

/** The bookings of an order: some lines over a few dates. */
const someBooked = (mostWindows = 3): fc.Arbitrary<BookedSpots[]> =>
  fc.array(someLine(mostWindows), { minLength: 1, maxLength: 4 }).map((lines) =>
    lines.flatMap(({ monday, dates, mirrored, network, price, ...line }, index) =>
      dates.flatMap((date, place): BookedSpots[] => {
        const upTo = (units: number) => money(decimal(price).times(decimal(units)), 'USD')
        const gross = upTo(line.units * (place + 1))
          .minus(upTo(line.units * place))
          .toFixed()
        const spots = { ...line, unit_id: `unit_${index}`, product_id: 'prime', air_date: addDays(monday, date) }
        const spot: BookedSpots = { ...spots, kind: 'spot', network, price, gross }
        return mirrored ? [spot, { ...spots, kind: 'mirror', network: `${network}-M`, price: '0', gross: '0' }] : [spot]
      }),
    ),
  )

/** The origin of a row: a spot or none, and how the row differs from it. */
const someStray = fc.record({
  spot: fc.nat(),
  window: fc.nat(),
  share: fc.double({ min: 0, max: 0.999, noNaN: true }),
  minutes: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -20, max: 20 }), fc.integer({ min: -15_000, max: 15_000 })),
  names: fc.boolean(),
  tellsCopy: fc.boolean(),
  copy: fc.option(fc.constantFrom(...COPIES), { nil: undefined, freq: 3 }),
  length: fc.constantFrom(undefined, undefined, undefined, 15, 60),
  network: fc.constantFrom(undefined, undefined, undefined, 'CBL', 'NET2-M'),
  makegood: fc.constantFrom('no', 'no', 'no', 'no', 'unit', 'date', 'both'),
  ran: fc.nat({ max: 5 }).map((drawn) => drawn > 0),
  timed: fc.boolean(),
  broadcast: fc.boolean(),
  rate: fc.constantFrom(undefined, undefined, undefined, 4200, 99.99, 0),
  records: fc.constantFrom('both', 'both', 'both', 'as_run', 'invoice'),
  drift: fc.integer({ min: -11, max: 11 }),
})
type Stray = typeof someStray extends fc.Arbitrary<infer T> ? T : never

/** An order with rows of airings and bills, right or wrong, and any coverage. */
export const someInput: fc.Arbitrary<ReconcileInput> = fc
  .record({
    booked: someBooked(),
    strays: fc.array(someStray, { maxLength: 24 }),
    days: fc.uniqueArray(fc.nat({ max: 13 })),
    months: fc.subarray(['2026-12', '2027-01', '2027-03', '2027-11']),
    tolerance: fc.record(
      { window_minutes: fc.integer({ min: 0, max: 30 }), match_minutes: fc.integer({ min: 0, max: 30 }) },
      { requiredKeys: [] },
    ),
  })
  .map(({ booked, strays, days, months, tolerance }) => ({
    currency: 'USD',
    booked,
    rows: strays.flatMap((stray) => rowsOf(booked, stray)),
    loggedDays: MONDAYS.flatMap((monday) =>
      days.flatMap((day) => NETWORKS.map((network) => ({ network, broadcast_date: addDays(monday, day) }))),
    ),
    invoicedMonths: months,
    tolerance,
  }))

/** An order of which every spot aired in its window and was billed at its price, with all logs and invoices present. */
export const somePerfect = (names: boolean, mostWindows = 1): fc.Arbitrary<ReconcileInput> =>
  fc
    .tuple(
      someBooked(mostWindows),
      fc.array(fc.tuple(fc.nat(), fc.double({ min: 0, max: 0.999, noNaN: true })), { minLength: 24, maxLength: 24 }),
    )
    .map(([booked, draws]) => {
      const spots = booked.flatMap((group) => Array<BookedSpots>(group.units).fill(group))
      const rows = spots.flatMap((group, index) => {
        const [drawn = 0, share = 0] = draws[index % draws.length] ?? []
        const copy = group.isci[drawn % Math.max(group.isci.length, 1)]
        const stray = {
          spot: booked.indexOf(group),
          window: drawn,
          share,
          names,
          tellsCopy: copy !== undefined,
          copy,
          ran: true,
          timed: true,
        }
        return rowsOf(booked, { ...stray, ...STRAIGHT, broadcast: drawn % 2 === 0 })
      })
      const loggedDays = rows.map((row) => ({ network: row.network, broadcast_date: broadcastDateOf(row) }))
      const invoicedMonths = loggedDays.map(({ broadcast_date }) => broadcastMonthOf(broadcast_date))
      return { currency: 'USD', booked, rows, loggedDays, invoicedMonths }
    })

const STRAIGHT = { minutes: 0, length: undefined, network: undefined, makegood: 'no', rate: undefined, records: 'both', drift: 0 } as const

function rowsOf(booked: readonly BookedSpots[], stray: Stray): SellerRow[] {
  const group = booked[stray.spot % booked.length] as BookedSpots
  const { start, end } = group.windows[stray.window % group.windows.length] as SpotWindow
  const length = (secondsOf(end) - secondsOf(start) + 86_400) % 86_400 || 86_400
  const at = localTime(group.air_date, start) + Math.floor(length * stray.share) + stray.minutes * 60
  const named = stray.makegood === 'unit' || stray.makegood === 'both'
  const dated = stray.makegood === 'date' || stray.makegood === 'both'
  const alike = {
    network: stray.network ?? group.network,
    clock: stray.broadcast ? ('broadcast' as const) : ('calendar' as const),
    spot_length: stray.length ?? group.spot_length,
    isci: stray.tellsCopy ? (stray.copy ?? group.isci[0]) : undefined,
    unit_id: stray.names ? group.unit_id : undefined,
    makegood_for_unit_id: named ? group.unit_id : undefined,
    makegood_for_date: dated ? group.air_date : undefined,
    ran: stray.ran,
    reason: stray.ran ? undefined : 'Preempted',
  }
  const timeOf = (seconds: number) => ({
    ...clockTime(seconds, stray.broadcast),
    ...(stray.ran || stray.timed ? {} : { air_time: undefined }),
  })
  const rate = stray.rate ?? jsonNumber(money(group.price, 'USD'))
  const asRun: SellerRow = { record_type: 'as_run', ...alike, ...timeOf(at) }
  const bill: SellerRow = { record_type: 'invoice', ...alike, ...timeOf(at + stray.drift * 60), rate, invoice_number: 'INV-1' }
  return stray.records === 'both' ? [asRun, bill] : [stray.records === 'as_run' ? asRun : bill]
}

function clockTime(at: number, broadcast: boolean): { air_date: string; air_time: string } {
  const date = broadcast ? dateOfDay(broadcastDayOf(at)) : dateOfDay(Math.floor(at / 86_400))
  const seconds = at - localTime(date, '00:00')
  const two = (figure: number) => String(Math.floor(figure)).padStart(2, '0')
  return { air_date: date, air_time: `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}` }
}

function broadcastDateOf({ air_date, air_time = '06:00', clock }: SellerRow): string {
  return clock === 'broadcast' ? air_date : dateOfDay(broadcastDayOf(localTime(air_date, air_time)))
}
