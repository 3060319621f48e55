import { beforeAll, describe, expect, it } from '@jest/globals'
import { useCommandLine } from '../support/commandLine.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
let cable: { baseUrl: string; token: string }
beforeAll(() => {
  acme = { baseUrl: market.baseUrl, token: market.acme.token }
  cable = { baseUrl: market.baseUrl, token: market.cable.token }
})

/** The notice of one unit of a placed order that does not air, with these offers. */
async function noticeOf(order_id: string, offers: readonly object[]) {
  const [booked] = (await market.snapshot(order_id)).line_items
  const [slot] = booked?.allocation ?? []
  const missed = { unit_id: booked?.unit_id, date: slot?.date, units: 1, reason_code: 'preempted' }
  const last = booked?.allocation.at(-1)?.date
  return { for: [missed], offers: offers.map((offer) => ({ product_id: 'prime', date: last, units: 1, spot_length: 30, ...offer })) }
}

describe('makegoods', () => {
  it('are offered, listed by both sides, and answered in the version that is read', async () => {
    const order_id = await market.placed()
    const file = await line.file('notice.json', await noticeOf(order_id, [{}]))
    const offered = await line.json(cable, 'makegoods', 'offer', order_id, '-f', file)
    expect(offered.status).toBe('offered')
    const { makegood_id } = offered
    for (const tenant of [acme, cable]) {
      const { out } = await line.as(tenant, 'makegoods', 'list', '--order', order_id, '--status', 'offered')
      expect(out).toMatch(new RegExp(`^${makegood_id} +${order_id} +offered +\\S+ \\S+ x1 `, 'm'))
    }
    expect(await line.as(acme, 'makegoods', 'answer', order_id, makegood_id)).toMatchObject({
      code: 2,
      err: 'Say --accept, --decline or --credit.\n',
    })
    const accepted = await line.as(acme, 'makegoods', 'answer', order_id, makegood_id, '--accept')
    expect(accepted).toEqual({ code: 0, out: `${makegood_id} accepted, version 1\n`, err: '' })
    const again = await line.as(acme, 'makegoods', 'answer', order_id, makegood_id, '--decline')
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('INVALID_STATE') })
  })

  it('are offered anew, and recalled', async () => {
    const order_id = await market.placed()
    const notice = await noticeOf(order_id, [{}, { units: 2 }])
    const { makegood_id } = await line.json(cable, 'makegoods', 'offer', order_id, '-f', await line.file('two.json', notice))
    const unnamed = await line.as(acme, 'makegoods', 'answer', order_id, makegood_id, '--accept')
    expect(unnamed).toMatchObject({ code: 2, err: expect.stringMatching(/^Name the offer that is taken by --offer: \S+, \S+\.\n$/) })
    const more = await line.file('more.json', { action: 'offer', offers: [notice.offers[0]] })
    expect(await line.as(cable, 'makegoods', 'offer', order_id, makegood_id, '-f', more)).toMatchObject({
      code: 0,
      out: expect.stringContaining('offered, version 2'),
    })
    const recalled = await line.as(cable, 'makegoods', 'offer', order_id, makegood_id, '--recall', '--note', 'it airs after all')
    expect(recalled).toMatchObject({ code: 0, out: expect.stringContaining(`${makegood_id} recalled`) })
  })

  it('say under the line of the notice what is wrong with it', async () => {
    const order_id = await market.placed()
    const notice = await noticeOf(order_id, [{ spot_length: -1 }])
    const { code, err } = await line.as(cable, 'makegoods', 'offer', order_id, '-f', await line.file('faulty.json', notice))
    expect([code, err]).toEqual([1, expect.stringMatching(/faulty\.json:\d+\n +"spot_length": -1\n +\^ offers\.0\.spot_length /)])
    expect(await line.as(cable, 'makegoods', 'offer', order_id)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Give the notice or the offers by -f/),
    })
    expect(await line.as(cable, 'makegoods', 'offer', order_id, '--recall')).toMatchObject({
      code: 2,
      err: 'Name the makegood that is recalled.\n',
    })
  })
})
