import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { OrderAudit } from '../../../src/contract/orderAudit.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'
import type { Tenant } from '../../support/market.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let folder: TemporaryFolder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const pagesOf = async (tenant: Tenant, path: string): Promise<OrderAudit[]> => {
  const { body } = await tenant.get(path)
  const page = body as OrderAudit
  if (page.next_after_seq === null) return [page]
  const [bare] = path.split('?')
  return [page, ...(await pagesOf(tenant, `${bare}?after_seq=${page.next_after_seq}`))]
}

/** Runs a documented verifier over pages. Returns its exit code and output. */
async function verify(script: 'verify-audit.mjs' | 'verify_audit.py', pages: readonly unknown[], ...args: string[]) {
  const files = pages.map((_, index) => join(folder.path, `page-${index + 1}.json`))
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify(pages[index]))
  const program = script.endsWith('.py') ? 'python3' : process.execPath
  const run = promisify(execFile)(program, [`docs/examples/${script}`, ...args, ...files], { env: { ...process.env, NODE_OPTIONS: '' } })
  return run.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  )
}
const SCRIPTS = ['verify-audit.mjs', 'verify_audit.py'] as const

describe('GET /orders/{id}/audit, GET /me/orders/{id}/audit: 200', () => {
  it.each(SCRIPTS)('gives both sides one chain, which %s verifies offline', async (script) => {
    const orderId = await market.placed()
    const buyers = await pagesOf(market.acme, `/orders/${orderId}/audit`)
    const sellers = await pagesOf(market.cable, `/me/orders/${orderId}/audit`)
    const head = buyers[0]?.head_hash
    expect(sellers[0]?.head_hash).toBe(head)
    expect(buyers[0]?.events.map(({ body }) => JSON.parse(body))).toEqual(await market.events(orderId))
    for (const pages of [buyers, sellers])
      expect(await verify(script, pages)).toEqual({ code: 0, out: `${orderId}: ${pages[0]?.last_seq} events verified, head ${head}\n` })
  })

  it('shows the reply and the endpoint of notify_url to the buyer alone', async () => {
    const url = 'https://acme.example/orders'
    const { body: endpoint } = await market.acme.post('/webhooks/endpoints', { url })
    const orderId = await market.created({ notify_url: url })
    const [buyers] = await pagesOf(market.acme, `/orders/${orderId}/audit`)
    const [sellers] = await pagesOf(market.cable, `/me/orders/${orderId}/audit`)
    expect(buyers?.record).toMatchObject({ notify_endpoint: endpoint.endpoint_id, reply: expect.stringContaining(orderId) })
    expect(JSON.stringify(sellers)).not.toContain(endpoint.endpoint_id)
    expect(sellers?.record).not.toHaveProperty('reply')
    expect((await verify('verify-audit.mjs', [sellers])).code).toBe(0)
  })

  it('comes in pages of a bounded size, with the record on the first', async () => {
    const lines = 450
    const orderId = await market.parked({ line_items: Array.from({ length: lines }, () => market.line({ units: 1 })) })
    for (let round = 0; round < 6; round += 1)
      expect((await market.cable.post(`/me/orders/${orderId}/decide`, counterOf(await market.snapshot(orderId), round))).status).toBe(202)
    const pages = await pagesOf(market.acme, `/orders/${orderId}/audit`)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.map(({ record }) => record !== undefined)).toEqual(pages.map((_, index) => index === 0))
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1.5 * 1024 * 1024)
    expect((await verify('verify-audit.mjs', pages)).code).toBe(0)
    expect((await verify('verify-audit.mjs', pages.slice(0, 1))).out).toContain('do not reach the newest event')
  })
})

/** A counter of one line: the event carries them all. */
const counterOf = ({ line_items }: { line_items: { unit_id: string; status: string }[] }, round: number) => ({
  decision: 'counter',
  actor: 'Ada',
  units: [
    {
      unit_id: line_items.find(({ status }) => status === 'countered' || status === 'pending')?.unit_id,
      action: 'counter',
      counter: { week: '2030-W24', unit_cost: 9 + round },
    },
  ],
})

describe('the documented verifier', () => {
  const event = (page: OrderAudit, index: number) => page.events[index] as OrderAudit['events'][number]
  /** How a page is changed, and the fault that the programs then report. They differ in which fault they report first when events are out of order. */
  const FORGERIES: readonly (readonly [forge: (page: OrderAudit) => unknown, fault: RegExp])[] = [
    [
      (page) => Object.assign(event(page, 2), { body: event(page, 2).body.replace('seller_review', 'placed') }),
      /event 3 does not hash to its hash/,
    ],
    [(page) => page.events.splice(1, 1), /event 3 is in the place of event 2|event 2 is of another place/],
    [(page) => page.events.reverse(), /event 4 is in the place of event 1|event 1 is of another place/],
    [(page) => page.events.pop(), /the pages do not reach the newest event/],
    [(page) => Object.assign(page.record ?? {}, { request: '{}' }), /the request is not what was hashed/],
    [(page) => Object.assign(page.record ?? {}, { sent_sha256: '0'.repeat(64) }), /the record does not hash to its hash/],
    [(page) => Object.assign(page, { order_id: 'ord_other' }), /the record does not hash to its hash/],
  ]

  it.each(SCRIPTS)('%s rejects any altered record, and names what is wrong', async (script) => {
    const pages = await pagesOf(market.acme, `/orders/${await market.placed()}/audit`)
    for (const [forge, fault] of FORGERIES) {
      const copy = structuredClone(pages)
      forge(copy[0] as OrderAudit)
      expect(await verify(script, copy)).toEqual({ code: 1, out: expect.stringMatching(fault) })
    }
  })

  it('compares the chain with the bytes that were sent and with a saved head', async () => {
    const sent = JSON.stringify(market.order())
    const { body } = await market.acme.post('/orders', sent)
    const path = `/orders/${body.order_id}/audit`
    const [early] = await pagesOf(market.acme, path)
    await market.validate(body.order_id)
    const pages = await pagesOf(market.acme, path)
    const file = join(folder.path, 'order.json')
    await writeFile(file, sent)
    expect((await verify('verify-audit.mjs', pages, '--body', file, '--head', early?.head_hash ?? '')).code).toBe(0)
    expect((await verify('verify-audit.mjs', pages, '--head', 'f'.repeat(64))).code).toBe(1)
    await writeFile(file, `${sent} `)
    expect((await verify('verify-audit.mjs', pages, '--body', file)).out).toContain('is not what was sent')
  })
})
