import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { csvOf } from '../../support/orders/buysheets.ts'
import { parsedOrder, parseOf, sheetOf, takesDocuments } from '../../support/orders/documentOrders.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
beforeAll(async () => {
  await takesDocuments(market)
}, 60_000)

const confirm = (orderId: string, more: Record<string, unknown> = {}) =>
  market.acme.post(`/orders/${orderId}/confirm`, { action: 'confirm', actor: 'Dana', ...more })
const parsed = async (orderId: string) => parseOf(await market.snapshot(orderId))
const decided = async (orderId: string) => (await market.events(orderId)).find(({ status }) => status === 'confirmed')

/** Lines that name a program which is sold by no such name. */
const named = (...lines: Parameters<typeof sheetOf>) => sheetOf(...lines.map((line) => ({ Product: 'Evening Movie', ...line })))

describe('a question about a document', () => {
  it('is put once for all lines that name the same, and its answer serves them all', async () => {
    const orderId = await parsedOrder(market, named({}, { Week: '2030-W24', Units: 4 }, { Product: 'prime' }))
    const { questions = [], layout } = await parsed(orderId)
    expect(layout).toEqual({ family: 'row_a_week', fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(questions).toMatchObject([{ question_id: 'q_1', kind: 'product', lines: [1, 2], at: 'A2' }])
    const choice = 'prime'
    const refused = await confirm(orderId, { resolutions: [{ question_id: 'q_1', choice: 'nothing' }] })
    expect([refused.status, refused.body.details.field]).toEqual([422, 'resolutions.0.choice'])
    const shown = questions[0]?.choices.map((each) => each.choice)
    const answer = shown?.includes(choice) ? { question_id: 'q_1', choice } : undefined
    const resolutions = answer === undefined ? [1, 2].map((line) => ({ line, product_id: choice })) : [answer]
    expect((await confirm(orderId, { resolutions })).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([
      { product_id: 'prime', units: 10 },
      { product_id: 'prime', units: 4 },
      { product_id: 'prime', units: 10 },
    ])
  })

  it.each([
    ['a question that is not of the document', [{ question_id: 'q_9', choice: 'x' }], 'resolutions.0.question_id'],
    ['a line beside a question', [{ line: 1, question_id: 'q_1', choice: 'x' }], 'resolutions.0.question_id'],
    ['a choice without a question', [{ line: 1, choice: 'x' }], 'resolutions.0.choice'],
    ['neither a line nor a question', [{ product_id: 'prime' }], 'resolutions.0.line'],
  ])('is no place for %s', async (_, resolutions, field) => {
    const orderId = await parsedOrder(market, named({}))
    const { status, body } = await confirm(orderId, { resolutions })
    expect([status, body.details.field]).toEqual([422, field])
    expect(await market.snapshot(orderId)).toMatchObject({ status: 'needs_confirmation' })
  })

  it('which option is ordered leaves the lines of the others out, which the seller sees', async () => {
    const rows = (option: string, units: number) => [
      [option, null, null, null, null, null],
      ['Program', 'Week', 'Length', 'Units', 'Rate', 'Advertiser Class'],
      ['prime', '2030-W23', ':30', units, '1250.50', 'general'],
    ]
    const orderId = await parsedOrder(market, csvOf({ rows: [...rows('Option 1', 10), ...rows('Option 2', 4)] }))
    const { questions = [], unresolved } = await parsed(orderId)
    expect(questions).toMatchObject([
      { kind: 'option', lines: [1, 2], choices: [{ choice: 'option 1' }, { choice: 'option 2', orders: [2] }] },
    ])
    expect(new Set(unresolved.map(({ line }) => line))).toEqual(new Set([1, 2]))
    expect((await confirm(orderId)).status).toBe(422)
    expect((await confirm(orderId, { resolutions: [{ question_id: 'q_1', choice: 'option 2' }] })).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toMatchObject([{ product_id: 'prime', units: 4 }])
    expect(await decided(orderId)).toMatchObject({
      decision_record: { answers: [{ question_id: 'q_1', choice: 'option 2' }], omitted: [{ line: 1, read: { units: { read: '10' } } }] },
    })
  })

  it('what columns of dates are that are no Mondays gives the lines their weeks', async () => {
    const rows = [
      ['Flight 6/5/2030 - 6/23/2030', '', '', '', '', '', '', '', '', ''],
      ['Days', 'Time', 'Program', 'Length', 'Advertiser Class', 'Rate', '6/5', '6/12', 'Spots', 'Cost'],
      ['M-F', '8p-9p', 'prime', ':30', 'general', '$1,250.50', 10, 4, 14, '$17,507.00'],
    ]
    const orderId = await parsedOrder(market, csvOf({ rows }))
    const { questions = [], lines } = await parsed(orderId)
    expect(lines.map(({ read: { period } }) => period)).toMatchObject([{ read: '6/5' }, { read: '6/12' }])
    const [question] = questions
    expect(question).toMatchObject({ kind: 'weeks', lines: [1, 2], choices: [{ choice: 'weeks' }, { choice: 'days' }, {}, {}] })
    const resolutions = [{ question_id: question?.question_id, choice: 'weeks' }]
    const { body } = await confirm(orderId, { resolutions })
    expect(body.status ?? body.details).toBe('confirmed')
    expect((await market.snapshot(orderId)).line_items).toMatchObject([
      { period: { start: '2030-W23' }, units: 10 },
      { period: { start: '2030-W24' }, units: 4 },
    ])
  })

  it('of a bonus is whether it is left out, where no price of 0.00 is published', async () => {
    const orderId = await parsedOrder(market, sheetOf({}, { Rate: '$0.00' }))
    const { questions = [], lines } = await parsed(orderId)
    expect(lines[1]?.read.kind).toMatchObject({ read: 'bonus' })
    expect(questions).toMatchObject([{ kind: 'bonus', lines: [2], choices: [{ choice: 'leave_out', orders: [] }] }])
    const priced = await confirm(orderId, { resolutions: [{ line: 2, locked_rate_id: market.price('prime', '2030-W23') }] })
    expect([priced.status, priced.body.details.unresolved[0]]).toMatchObject([422, { line: 2, field: 'rate' }])
    expect((await confirm(orderId, { resolutions: [{ question_id: 'q_1', choice: 'leave_out' }] })).status).toBe(202)
    expect((await market.snapshot(orderId)).line_items).toHaveLength(1)
  })
})

describe('units of a whole span', () => {
  const span = csvOf({
    rows: [
      ['Days', 'Time', 'Program', 'Start Date', 'End Date', 'Length', 'Spots', 'Rate', 'Total'],
      ['M-F', '8p-11p', 'prime', '6/3/2030', '6/23/2030', ':30', 8, '1250.50', '10004.00'],
    ],
  })
  const units = async (orderId: string) =>
    (await market.acme.get(`/orders/${orderId}`)).body.line_items.map((line: { period: { start: string }; units: number }) => [
      line.period.start,
      line.units,
    ])

  it('are asked once for all weeks, and spread over them by the answer', async () => {
    const orderId = await parsedOrder(market, span)
    const { questions = [], lines, layout, unresolved } = await parsed(orderId)
    expect(layout?.family).toBe('dated_rows')
    expect(lines.map(({ read }) => read.period?.value?.start)).toEqual(['2030-W23', '2030-W24', '2030-W25'])
    expect(questions).toMatchObject([{ kind: 'weeks', lines: [1, 2, 3], choices: [{ choice: 'evenly' }, { choice: 'each_week' }] }])
    expect(new Set(unresolved.map(({ line }) => line))).toEqual(new Set([1, 2, 3]))
    expect((await confirm(orderId)).status).toBe(422)
    const each = await confirm(orderId, { resolutions: [{ question_id: 'q_1', choice: 'each_week' }] })
    expect([each.status, each.body.details.unresolved]).toMatchObject([
      422,
      [
        { field: 'acknowledge', stated: 8, computed: 24 },
        { field: 'acknowledge', stated: 10004, computed: 30012 },
      ],
    ])
    expect((await confirm(orderId, { resolutions: [{ question_id: 'q_1', choice: 'evenly' }] })).status).toBe(202)
    expect(await units(orderId)).toEqual([
      ['2030-W23', 3],
      ['2030-W24', 3],
      ['2030-W25', 2],
    ])
  })

  it('are what a buyer states for each week', async () => {
    const orderId = await parsedOrder(market, span)
    const stated = (line: number, week: string, count: number) => ({
      ...{ line, product_id: 'prime', period: { grain: 'week', start: week }, units: count, locked_rate_id: market.price('prime', week) },
    })
    const resolutions = [stated(1, '2030-W23', 6), stated(2, '2030-W24', 2), { line: 3, omit: true }]
    expect((await confirm(orderId, { resolutions })).status).toBe(202)
    expect(await units(orderId)).toEqual([
      ['2030-W23', 6],
      ['2030-W24', 2],
    ])
  })
})

describe('an answer', () => {
  it('is proposed for the next document with the same headings of the same buyer to the same seller, and not applied', async () => {
    const orderId = await parsedOrder(market, named({}))
    expect((await confirm(orderId, { resolutions: [{ line: 1, product_id: 'prime' }], remember: true })).status).toBe(202)
    const next = await parsedOrder(market, named({ Week: '2030-W24' }))
    const { questions = [], lines, layout } = await parsed(next)
    expect(questions).toMatchObject([{ kind: 'product', proposed: 'prime', choices: [{ choice: 'prime', product_id: 'prime' }] }])
    expect(lines).toMatchObject([{ line_item: null }])
    expect((await confirm(next)).status).toBe(422)
    expect((await confirm(next, { resolutions: [{ question_id: 'q_1', choice: 'prime' }] })).status).toBe(202)
    const { rows } = named({})
    expect((await market.acme.get('/audit?action=document_layout.remembered')).body.items).toMatchObject([
      { target: `cable/${layout?.fingerprint}`, after: { [`product: ${questions[0]?.label}`]: 'prime' } },
    ])
    const other = await parsedOrder(market, { rows: rows.map((row, at) => [...row, at === 0 ? 'Amount' : 12505]) })
    expect((await parsed(other)).questions?.[0]?.proposed).toBeUndefined()
  })

  it('is not kept without the word', async () => {
    const odd = () => named({ Product: 'Some Movie' })
    const orderId = await parsedOrder(market, odd())
    expect((await confirm(orderId, { resolutions: [{ line: 1, product_id: 'prime' }] })).status).toBe(202)
    expect((await parsed(await parsedOrder(market, odd()))).questions?.[0]?.proposed).toBeUndefined()
  })
})

it('a document that is no order is refused by its kind, with what to send instead', async () => {
  const bytes = await readFile(new URL('../../corpus/documents/f19a-copy-instruction.pdf', import.meta.url))
  const orderId = await parsedOrder(market, bytes, 'pdf')
  expect(await market.snapshot(orderId)).toMatchObject({
    status: 'failed',
    error: { error_message: expect.stringContaining('traffic instructions'), details: { kind: 'copy_instruction' } },
  })
})

it('rows that order nothing are listed with the reason', async () => {
  const { rows } = sheetOf({}, { Week: '2030-W24', Units: 4 })
  const orderId = await parsedOrder(market, { rows: [...rows, ['Total', null, null, 14, null, null]] })
  expect((await parsed(orderId)).ignored).toEqual([{ row: 'Total 14', at: 'A4', reason: 'total' }])
})
