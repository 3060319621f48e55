import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { csvRows } from '../../../src/domain/edi/csvRows.ts'
import { forDocument } from '../../../src/domain/edi/forDocument.ts'
import { mailFields } from '../../../src/domain/edi/mailFields.ts'
import { totals } from '../../../src/domain/order/snapshot.ts'
import { aPlacedOrder, EXAMPLE_LINES } from '../../support/edi/anEdiOrder.ts'
import { type EdiOrder, someEdiOrder } from '../../support/edi/someEdiOrder.ts'

const made = ({ order, message, terms, descriptors }: EdiOrder) => ({
  scx: buildScx(order, message, terms, descriptors),
  csv: csvRows(order, message),
  mail: mailFields(order, message, terms, descriptors),
  totals: totals(order),
})

it('leaves all that the document and the mail of an order are made of', () => {
  fc.assert(
    fc.property(someEdiOrder, (drawn) => expect(made({ ...drawn, order: forDocument(drawn.order) })).toEqual(made(drawn))),
    { numRuns: 50 },
  )
})

it('leaves out what no document shows', () => {
  const { order } = aPlacedOrder({ lines: EXAMPLE_LINES })
  const { request, facts, bookings, artifacts } = forDocument(order)
  expect(request).not.toHaveProperty('line_items')
  expect([facts.lines, bookings.map(({ unit_id }) => unit_id)]).toEqual([[], ['unit_2']])
  expect(artifacts).toMatchObject([{ name: 'placement_receipt', daylocks: [] }])
})
