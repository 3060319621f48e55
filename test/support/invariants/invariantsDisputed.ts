import type pg from 'pg'
import type { ReconciliationState } from '../../../src/contract/vocabulary/reconciliation.ts'
import { type Decimal, decimal, sameAmount, sum } from '../../../src/domain/decimal.ts'
import { isInvoiced } from '../../../src/domain/settlement/actOnVariance.ts'
import { creditedBy, mostToCredit } from '../../../src/domain/settlement/creditedOf.ts'
import type { StoredLine } from '../../../src/domain/settlement/reconciliationResult.ts'
import { spotsOfVariances } from '../../../src/domain/settlement/spotsOfVariances.ts'
import { varianceState } from '../../../src/domain/settlement/varianceState.ts'
import type { StoredStep } from '../../../src/store/settlement/varianceSteps.ts'
import type { Violation } from './invariants.ts'

type Step = StoredStep & Place & { n: number; disputed: number; note_gross: number | null }
type Line = Place & { broadcast_month: string; body: Pick<StoredLine, 'ordered_gross' | 'variances'> }
interface Place {
  unit_id: string | null
  network: string
  air_date: string
}

interface Acted {
  order_id: string
  state: ReconciliationState
  steps: (Step & { broadcast_month: string })[]
  lines: Line[]
  /** The gross of its booked spots, for an order that is too large to have lines. */
  booked: (Place & { gross: string })[]
  invoices: { invoice_id: string; broadcast_month: string; gross: string; disputed: string }[]
}

/** Checks that each invoice's disputed amount is the sum of its month's open disputes, and each credit of a cleared order has its note. */
export async function brokenDisputes(client: pg.Client): Promise<Violation[]> {
  const { rows } = await client.query<Acted>(ACTED)
  return rows.flatMap(({ order_id, state, steps, lines, booked, invoices }) => {
    const broken = (problem: string): Violation => ({ invariant: 'I19', order_id, problem })
    const found: Violation[] = []
    for (const [id, taken] of stepsById(steps)) {
      if (taken.some(({ n }, index) => n !== index + 1)) found.push(broken(`the actions on ${id} are not numbered one by one`))
      for (const { amount, note_gross } of taken)
        if (note_gross !== null && !sameAmount(-note_gross, amount ?? 0))
          found.push(broken(`a credit of ${id} is not that of its credit note`))
    }
    const expected = state === 'too_large' ? openDisputes(steps, booked) : disputedByMonth(steps, lines)
    for (const { invoice_id, broadcast_month, gross, disputed } of invoices) {
      const sumOfMonth = expected.get(broadcast_month) ?? decimal(0)
      const due = least(sumOfMonth, decimal(gross))
      if (!sameAmount(disputed, due)) found.push(broken(`${invoice_id} has ${disputed} disputed; its disputes come to ${due}`))
    }
    return found
  })
}

function stepsById(steps: Acted['steps']): Map<string, Acted['steps']> {
  const byId = new Map<string, Acted['steps']>()
  for (const step of steps) byId.set(step.variance_id, [...(byId.get(step.variance_id) ?? []), step])
  return byId
}

function disputedByMonth(steps: readonly Step[], lines: readonly Line[]): Map<string, Decimal> {
  const months = new Map<string, Decimal>()
  for (const line of lines) {
    const { broadcast_month } = line
    months.set(
      broadcast_month,
      sum([
        months.get(broadcast_month) ?? 0,
        disputedOfLine(
          line,
          steps.filter((step) => placeOf(step) === placeOf(line)),
        ),
      ]),
    )
  }
  return months
}

/** Returns a line's open disputes: per spot at most what credits left of it, in total at most what they left of the spots that vary. */
function disputedOfLine({ body }: Line, steps: readonly Step[]): Decimal {
  const spots = spotsOfVariances(body.variances)
  const ofSpots = new Map<string, { gross: Decimal; credited: Decimal; disputed: Decimal }>()
  for (const variance of body.variances.filter(({ code }) => isInvoiced(code))) {
    const taken = steps.filter(({ variance_id }) => variance_id === variance.variance_id)
    const isDisputed = ['disputed', 'upheld'].includes(varianceState(taken, variance))
    const key = spots.get(variance.variance_id) as string
    const { gross, credited, disputed } = ofSpots.get(key) ?? { gross: ZERO, credited: ZERO, disputed: ZERO }
    ofSpots.set(key, {
      gross: max(gross, decimal(variance.gross)),
      credited: credited.plus(creditedBy(taken)),
      disputed: isDisputed ? max(disputed, decimal(taken.at(-1)?.disputed ?? 0)) : disputed,
    })
  }
  const standing = sum([...ofSpots.values()].map(({ gross, credited, disputed }) => least(disputed, max(gross.minus(credited), ZERO))))
  return max(least(standing, mostToCredit(body).minus(creditedBy(steps.filter(({ code }) => isInvoiced(code))))), ZERO)
}

/**
 * Returns the last disputes of each spot, by month: at most what credits have left of it, and at most what they have left of what its line
 * books and of what was acted on there.
 */
function openDisputes(steps: Acted['steps'], booked: Acted['booked']): Map<string, Decimal> {
  const invoiced = steps.filter(({ code }) => isInvoiced(code))
  const months = new Map<string, Decimal>()
  for (const [place, ofLine] of groupedBy(invoiced, placeOf)) {
    const spotOf = new Map(ofLine.map(({ variance_id, spot }) => [variance_id, spot ?? variance_id]))
    const spots = [...groupedBy(ofLine, ({ variance_id }) => spotOf.get(variance_id) as string).values()].map((ofSpot) => {
      const last = [...stepsById(ofSpot).values()].map((taken) => taken.at(-1) as Step)
      const gross = last.map((step) => decimal(step.gross)).reduce(max)
      const left = max(gross.minus(creditedBy(ofSpot)), ZERO)
      return { gross, disputed: least(last.map(({ disputed }) => decimal(disputed)).reduce(max), left) }
    })
    const books = sum(booked.filter((spot) => placeOf(spot) === place).map(({ gross }) => gross))
    const left = least(books, sum(spots.map(({ gross }) => gross))).minus(creditedBy(ofLine))
    const month = ofLine[0]?.broadcast_month as string
    months.set(month, sum([months.get(month) ?? 0, max(least(sum(spots.map(({ disputed }) => disputed)), left), ZERO)]))
  }
  return months
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const ZERO = decimal(0)
const max = (one: Decimal, other: Decimal) => (one.gt(other) ? one : other)
const least = (one: Decimal, other: Decimal) => (one.lt(other) ? one : other)
const placeOf = ({ unit_id, network, air_date }: Place) => JSON.stringify([unit_id, network, air_date])

const ACTED = `
  select r.order_id, r.state,
    (select json_agg(json_build_object('variance_id', variance_id, 'unit_id', unit_id, 'network', network, 'air_date', air_date,
        'broadcast_month', a.broadcast_month, 'code', code, 'n', a.n, 'action', action, 'note', note, 'amount', amount, 'units', a.units,
        'gross', a.gross, 'disputed', a.disputed, 'spot', a.spot, 'note_gross', c.gross) order by variance_id, a.n)
      from variance_actions a left join invoices c using (invoice_id) where a.order_id = r.order_id) as steps,
    (select coalesce(json_agg(json_build_object('unit_id', unit_id, 'network', network, 'air_date', air_date, 'broadcast_month', broadcast_month, 'body', body)), '[]')
      from reconciliation_lines l where l.order_id = r.order_id and l.result = r.result and body->'variances' is not null) as lines,
    (select coalesce(json_agg(json_build_object('unit_id', unit_id, 'network', network, 'air_date', air_date, 'gross', gross::text)), '[]')
      from booked_spots b where r.state = 'too_large' and b.order_id = r.order_id) as booked,
    (select coalesce(json_agg(json_build_object('invoice_id', invoice_id, 'broadcast_month', broadcast_month, 'gross', gross::text, 'disputed', disputed::text)), '[]')
      from invoices i where i.order_id = r.order_id and kind = 'invoice' and n = 1) as invoices
  from reconciliations r where exists (select from variance_actions a where a.order_id = r.order_id)`
