import { beforeAll, describe, expect, it } from '@jest/globals'
import { useCommandLine } from '../support/commandLine.ts'
import { LAYOUTS } from '../support/orders/buysheets.ts'
import { counterBody } from '../support/orders/decisions.ts'
import { parsedOrder, takesDocuments } from '../support/orders/documentOrders.ts'
import { type Proposals, proposalsOf } from '../support/orders/proposals.ts'
import { spawnProgram } from '../support/runProgram.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
let cable: { baseUrl: string; token: string }
let proposals: Proposals
beforeAll(async () => {
  const { baseUrl } = market
  acme = { baseUrl, token: market.acme.token }
  cable = { baseUrl, token: market.cable.token }
  proposals = await proposalsOf(market)
})

describe('orders create', () => {
  it('places the order of a file, and the same file again gets the first reply', async () => {
    const file = await line.file('order.json', market.order())
    const first = await line.json(acme, 'orders', 'create', '-f', file)
    expect(first.status).toBe('submitted')
    const again = await line.as(acme, 'orders', 'create', '-f', file)
    expect(again.out).toContain(first.order_id)
    expect(again.out).toContain('The same order was sent before')
  })

  it('says what an order would be by --dry-run, and places nothing', async () => {
    const order = market.order()
    const { code, out, err } = await line.as(acme, 'orders', 'create', '--dry-run', '-f', await line.file('dry.json', order))
    expect([code, err]).toEqual([0, 'Nothing was placed.\n'])
    expect(out).toMatch(/gross +12505\.00 USD/)
    expect(await line.json(acme, 'orders', 'list', '--external-id', order.external_order_id)).toEqual([])
  })

  it.each([['--dry-run'], ['--json']])('shows each fault under the line that it is about (%s)', async (flag) => {
    const order = market.order({ buyer_metadata: { advertiser_id: 'a', colour: 'red' } })
    Object.assign((order.line_items as Record<string, unknown>[])[0] ?? {}, { units: 0 })
    const file = await line.file('faulty.json', order)
    const { code, err } = await line.as(acme, 'orders', 'create', '-f', file, flag)
    expect(code).toBe(1)
    const text = JSON.stringify(order, null, 2).split('\n')
    const at = (name: string) => text.findIndex((one) => one.includes(`"${name}"`)) + 1
    expect(err).toContain(`${file}:${at('colour')}\n    "colour": "red"\n    ^ `)
    expect(err).toContain(`${file}:${at('units')}\n      "units": 0,\n      ^ line_items.0.units `)
  })

  it('shows a member that nothing knows under its line, with the nearest one, where it is refused and where it is taken', async () => {
    const { line_items, ...rest } = market.order()
    const refused = await line.as(acme, 'orders', 'create', '-f', await line.file('typo.json', { ...rest, line_item: line_items }))
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('^ line_item is not known here, and ignored; the nearest is line_items\n')
    const taken = await line.as(acme, 'orders', 'create', '-f', await line.file('extra.json', { ...rest, line_items, flights: null }))
    expect(taken.out).toMatch(/^warning +flights is not known here, and ignored; the nearest is flight$/m)
  })

  it.each([
    ['no file', 'nowhere.json', undefined, /^There is no file .*nowhere\.json\.\n$/],
    ['half a file', 'half.json', '{\n  "seller": "cable",\n  "line_items": [{\n', /^.*half\.json is not JSON: line 4: .*\n$/],
    ['an empty file', 'empty.json', '', /^.*empty\.json is empty\.\n$/],
    ['csv', 'order.csv', 'seller,units\ncable,3\n', /^.*order\.csv is not JSON: line 1: .*\n$/],
    ['bytes', 'bytes.json', Buffer.from([0xff, 0xfe, 0]), /^.*bytes\.json is not a JSON file: it is not UTF-8\.\n$/],
  ])('refuses %s in one sentence', async (_, name, content, err) => {
    const file = content === undefined ? `${line.folder}/${name}` : await line.file(name, content)
    expect(await line.as(acme, 'orders', 'create', '-f', file)).toEqual({ code: 2, out: '', err: expect.stringMatching(err) })
  })

  it('reads standard input', async () => {
    const settings = { MARKETPLACE_URL: acme.baseUrl, MARKETPLACE_TOKEN: acme.token }
    const child = spawnProgram('src/commandLine/main', ['orders', 'create', '-f', '-', '--json'], settings)
    child.stdin.end(JSON.stringify(market.order()))
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk)
    expect(JSON.parse(Buffer.concat(chunks).toString()).order_id).toMatch(/^ord_/)
  })
})

describe('orders list, show and watch', () => {
  it('lists what a buyer placed and what a seller received, by filters', async () => {
    const order_id = await market.parked()
    for (const tenant of [acme, cable]) {
      const listed = await line.json(tenant, 'orders', 'list', '--status', 'seller_review', '--limit', '1')
      expect(listed.map((order: { order_id: string }) => order.order_id)).toEqual([order_id])
    }
    const { out } = await line.as(cable, 'orders', 'list', '--waiting-on', 'seller')
    expect(out).toMatch(new RegExp(`^${order_id} .* acme .* seller_review .*12505\\.00 USD`, 'm'))
  })

  it('shows an order with its lines and its log', async () => {
    const order_id = await market.placed()
    const { out } = await line.as(acme, 'orders', 'show', order_id, '--events')
    expect(out).toMatch(/^status +placed at event 4$/m)
    expect(out).toMatch(/^\S+ +prime +2030-W23 +30 +10 +10 +accepted +1250\.50$/m)
    expect(out).toMatch(/4 {2}seller_review -> placed {2}approve by Ada$/m)
  })

  it('prints the events of an order until it is parked', async () => {
    const order_id = await market.created()
    const watching = line.as(acme, 'orders', 'watch', order_id, '--until', 'parked', '--json')
    await market.validate(order_id)
    const { code, out } = await watching
    const events = out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect([code, events.map(({ seq, status }) => [seq, status])]).toEqual([
      0,
      [
        [1, 'submitted'],
        [2, 'validating'],
        [3, 'seller_review'],
      ],
    ])
  })

  it('says in one sentence that there is no such order', async () => {
    const { code, err } = await line.as(acme, 'orders', 'show', 'ord_nothing')
    expect([code, err]).toEqual([1, expect.stringMatching(/^GET \/v1\/orders\/ord_nothing was refused with 404: NOT_FOUND, .*\n$/)])
  })
})

describe('what the parties do', () => {
  it('decide --dry-run says what would be booked; decide --approve books it', async () => {
    const order_id = await market.parked()
    const preview = await line.as(cable, 'orders', 'decide', order_id, '--approve', '--dry-run')
    expect([preview.code, preview.err]).toEqual([0, 'Nothing was done.\n'])
    expect((await market.snapshot(order_id)).status).toBe('seller_review')
    const decided = await line.as(cable, 'orders', 'decide', order_id, '--approve', '--actor', 'Ada', '--seller-order-id', '4711')
    expect([decided.code, decided.out]).toEqual([0, `${order_id} placed, 1 accepted, 0 rejected, event 4\n`])
    const again = await line.as(cable, 'orders', 'decide', order_id, '--reject', '--reason', 'sold')
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('INVALID_STATE') })
  })

  it('a counter of a file is accepted by respond', async () => {
    const order_id = await market.parked()
    const quote_expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const file = await line.file('counter.json', await counterBody(market, order_id, { unit_cost: 1300, quote_expires_at }))
    expect(await line.json(cable, 'orders', 'decide', order_id, '-f', file)).toMatchObject({ status: 'negotiating' })
    expect(await line.as(acme, 'orders', 'respond', order_id)).toMatchObject({
      code: 2,
      err: 'Say --accept or --withdraw, or give the body by -f.\n',
    })
    expect(await line.json(acme, 'orders', 'respond', order_id, '--accept')).toMatchObject({ order_id, status: 'placed' })
  })

  it('cancel says what it would cost, then cancels', async () => {
    const order_id = await market.placed()
    expect(await line.as(acme, 'orders', 'cancel', order_id, '--dry-run')).toMatchObject({ code: 0, err: 'Nothing was done.\n' })
    expect(await line.json(acme, 'orders', 'cancel', order_id, '--reason', 'postponed')).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'postponed', actor: 'command line' },
    })
  })

  it('plan answers a request, and confirm takes it', async () => {
    const order_id = await proposals.asked()
    const faulty = await line.as(cable, 'orders', 'plan', order_id, '-f', await line.file('faulty-plan.json', { actor: 'Ada' }))
    expect(faulty).toMatchObject({ code: 1, err: expect.stringContaining('line_items') })
    const planned = await line.json(cable, 'orders', 'plan', order_id, '-f', await line.file('plan.json', proposals.plan()))
    expect(planned.status).toBe('needs_confirmation')
    const body = await line.file('confirm.json', { action: 'confirm', actor: 'Bo', plan_id: planned.plan_id })
    expect(await line.json(acme, 'orders', 'confirm', order_id, '-f', body)).toMatchObject({ order_id, status: 'seller_review' })
  })

  it('confirm --reject rejects what was read of a document', async () => {
    await takesDocuments(market)
    const order_id = await parsedOrder(market, LAYOUTS['a plain list'] as never)
    expect((await market.snapshot(order_id)).status).toBe('needs_confirmation')
    expect(await line.json(acme, 'orders', 'confirm', order_id, '--reject', '--reason', 'wrong sheet')).toMatchObject({ order_id })
  })
})
