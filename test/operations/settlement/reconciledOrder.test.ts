import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { broadcastMonthOf } from '../../../src/domain/calendar.ts'
import { reconcile } from '../../../src/domain/settlement/reconcile.ts'
import type { StoredLine } from '../../../src/domain/settlement/reconciliationResult.ts'
import { reconciledOrder } from '../../../src/operations/settlement/reconciledOrder.ts'
import { varianceId } from '../../../src/operations/settlement/varianceId.ts'
import type { ReconciledHead, ToReconcile } from '../../../src/store/settlement/readToReconcile.ts'
import { anAiring, someSpots } from '../../support/settlement/aSellerRow.ts'
import { someInput } from '../../support/settlement/someReconciliation.ts'

const order_id = 'ord_1'
const head = (tolerance: ReconciledHead['tolerance'] = {}): ReconciledHead => ({
  ...{ order_id, seller: 'station', buyer_entity: 'acme', agreement_id: null, currency: 'USD', guarantees: [], tolerance, digest: null },
})
const toReconcile = (order: Partial<ToReconcile>): ToReconcile => ({
  ...{ head: head(), booked: [], rows: [], agreed: [], invoiceMonths: new Map() },
  ...order,
})
const NO_SURROUNDINGS = { bookedDays: [], loggedDays: [], delivered: [], invoices: new Map() }

describe('the body of a line', () => {
  it('has the bytes that JSON.stringify makes of its figures, whatever they are', () => {
    fc.assert(
      fc.property(someInput, ({ booked, rows, loggedDays, tolerance = {} }) => {
        const days = [...loggedDays]
        const order = toReconcile({ head: head(tolerance), booked: [...booked], rows: [...rows] })
        const { lines } = reconciledOrder(order, { ...NO_SURROUNDINGS, loggedDays: days })
        const expected = reconcile({ currency: 'USD', booked, rows, loggedDays: days, invoicedMonths: [], tolerance }).lines.map(
          (line): StoredLine => {
            const { unit_id, network, air_date, variances, ...figures } = line
            return {
              ...{ unit_id, network, air_date, broadcast_month: broadcastMonthOf(air_date) },
              ...figures,
              variances: variances.map(({ n, ...variance }) => ({
                variance_id: varianceId({ order_id, unit_id, network, air_date, code: variance.code, n }),
                ...variance,
              })),
            }
          },
        )
        expect(lines.map(({ body }) => body)).toEqual(expected.map((body) => JSON.stringify(body)))
      }),
      { numRuns: 200 },
    )
  })

  it('quotes names', () => {
    const names = { unit_id: 'unit "a"\\', network: 'Größer\n\u2028 "One"' }
    const { lines } = reconciledOrder(toReconcile({ booked: [someSpots(names)] }), NO_SURROUNDINGS)
    expect(lines.map(({ body }) => JSON.parse(body))).toMatchObject([names])
    expect(lines[0]?.body).toBe(JSON.stringify(JSON.parse(lines[0]?.body ?? '')))
  })

  it('has null for spots of no line', () => {
    const { lines } = reconciledOrder(toReconcile({ rows: [anAiring()] }), NO_SURROUNDINGS)
    expect(lines.map(({ body }) => JSON.parse(body))).toMatchObject([{ unit_id: null, unordered: 1 }])
  })

  it('is that of its line, of however many lines', () => {
    const units = Array.from({ length: 2_001 }, (_, index) => `unit_${index}`)
    const { lines } = reconciledOrder(toReconcile({ booked: units.map((unit_id) => someSpots({ unit_id })) }), NO_SURROUNDINGS)
    expect(lines.map(({ unit_id }) => unit_id).sort()).toEqual([...units].sort())
    expect(lines.map(({ body }) => JSON.parse(body).unit_id)).toEqual(lines.map(({ unit_id }) => unit_id))
  })

  it('does not exist without a spot or a row', () => {
    expect(reconciledOrder(toReconcile({}), NO_SURROUNDINGS).lines).toEqual([])
  })
})
