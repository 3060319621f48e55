import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import ssh2 from 'ssh2'
import { sshFingerprint } from '../../src/adapters/keys/sshKey.ts'
import type { PutApprovalRules } from '../../src/contract/approvalRules.ts'
import type { DecideOrder } from '../../src/contract/decideOrder.ts'
import type { OrderSnapshot } from '../../src/contract/order.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'
import { readableByOthers } from '../support/files/readableByOthers.ts'
import { freePorts } from '../support/freePorts.ts'
import { smtpDialog } from '../support/mail/smtpDialog.ts'
import { scrape } from '../support/metrics/scrape.ts'
import { until } from '../support/until.ts'
import { openMarket, orderBody, place } from './market.ts'
import { persistentClient } from './persistentClient.ts'
import { useProduct } from './useProduct.ts'

const METRICS_PORT = await freePorts(5)
const BOUNCE_PORT = await freePort()

describe('npm start', () => {
  const product = useProduct({ by: 'npm', env: { SEED: 'catalogs', METRICS_PORT: String(METRICS_PORT) } })
  let seller: Operations
  let buyer: Operations

  beforeAll(() => {
    seller = persistentClient(product.baseUrl, product.credentials.sellers.summit?.token ?? '')
    buyer = persistentClient(product.baseUrl, product.credentials.buyers['northlight-media']?.token ?? '')
  })

  it('writes credentials of three sellers and two buyers, which only their owner can read', async () => {
    expect(Object.keys(product.credentials.sellers)).toEqual(['summit', 'ktvl-10', 'lakeshore-28'])
    expect(Object.keys(product.credentials.buyers)).toEqual(['northlight-media', 'harbor-and-vale'])
    expect(product.credentials.base_url).toBe(`${product.baseUrl}/v1`)
    expect((await stat(join(product.dataDir, 'credentials.json'))).mode & 0o777).toBe(0o600)
  })

  it('has the sellers that publish over the API on sale once it is ready', async () => {
    const { body } = await buyer.listSellers()
    expect(body.sellers.map(({ seller }) => seller)).toEqual([
      'ktvl-10',
      'lakeshore-28',
      'sandbox-pull',
      'sandbox-tv',
      'seller-suspends-you',
      'summit',
    ])
    for (const seller of ['ktvl-10', 'sandbox-pull', 'sandbox-tv', 'summit']) {
      const { avails } = (await buyer.getAvails({ path: { seller } })).body
      expect(avails.some(({ rates }) => rates.length > 0)).toBe(true)
    }
  })

  it('takes files by SFTP where credentials.json says, from those whom it names', async () => {
    const { sftp, sellers } = product.credentials
    expect(sftp).toEqual({ host: '127.0.0.1', port: expect.any(Number), fingerprint: expect.stringMatching(/^SHA256:\S{43}$/) })
    expect(product.said()).toContain(`SFTP 127.0.0.1 port ${sftp.port}, host key ${sftp.fingerprint}`)
    const client = new ssh2.Client()
    const fingerprints: string[] = []
    await new Promise<void>((ready, fail) => {
      client.once('ready', ready).once('error', fail)
      const hostVerifier = (key: Buffer) => fingerprints.push(sshFingerprint(key)) > 0
      client.connect({ host: sftp.host, port: sftp.port, username: 'summit', password: sellers.summit?.token ?? '', hostVerifier })
    })
    expect(fingerprints).toEqual([sftp.fingerprint])
    client.end()
  })

  it('serves the metrics of API, worker, Temporal client and SFTP server on ports in a row', async () => {
    const [api, worker, temporal, sftp] = await Promise.all([0, 1, 2, 3].map((offset) => scrape(METRICS_PORT + offset)))
    expect(api?.has('http_requests_in_flight')).toBe(true)
    expect(worker?.has('nodejs_heap_size_used_bytes')).toBe(true)
    expect([...(temporal?.keys() ?? [])].some((name) => name.startsWith('temporal_'))).toBe(true)
    expect(sftp?.has('db_pool_waiting')).toBe(true)
  })

  it('moves an order from a published card to its receipt, though the worker is killed in the middle', async () => {
    const market = await openMarket('summit', seller, buyer)
    expect(await product.signal('worker')).toBe(true)
    const { order_id } = await place(buyer, orderBody(market, 'walk-1'))
    expect((await snapshot(order_id)).status).toBe('submitted')

    const review = await reaches(order_id, 'seller_review')
    expect(review.allowed_actions).toEqual(['cancel'])
    expect(await product.signal('worker')).toBe(true)
    const decided = await seller.decideOrder({ path: { order_id }, body: { decision: 'approve', actor: 'traffic desk' } })
    expect(decided).toMatchObject({ status: 202, body: { status: 'placed', units_accepted: 2 } })

    const placed = await reaches(order_id, 'placed')
    const receipt = placed.artifacts.find((artifact) => artifact.name === 'placement_receipt')
    expect(receipt?.daylocks.reduce((sum, { units }) => sum + units, 0)).toBe(11)
    const { body: replay } = await buyer.replayEvents({ query: { order: order_id } })
    expect(replay.events.map(({ seq, status }) => [seq, status])).toEqual([
      [1, 'submitted'],
      [2, 'validating'],
      [3, 'seller_review'],
      [4, 'placed'],
    ])
    expect(replay.events.at(-1)?.artifact).toEqual(receipt)
  }, 60_000)

  it('lets the quote of a counter lapse, and accepts a newer one', async () => {
    const market = await openMarket('summit', seller, buyer)
    const { order_id } = await place(buyer, orderBody(market, 'walk-2'))
    const unit_id = (await reaches(order_id, 'seller_review')).line_items[0]?.unit_id ?? ''
    const counter = (figures: object): DecideOrder => ({
      decision: 'counter',
      actor: 'traffic desk',
      units: [{ unit_id, action: 'counter', counter: { week: '2030-W03', unit_cost: 1100, ...figures } }],
    })
    const soon = new Date(Date.now() + 1_500).toISOString()
    await seller.decideOrder({ path: { order_id }, body: counter({ quote_expires_at: soon }) })
    await until(async () => (await snapshot(order_id)).substatus === 'quote_lapsed')
    const accept = () => buyer.respondOrder({ path: { order_id }, body: { action: 'accept' } })
    await expect(accept()).rejects.toMatchObject({ status: 409, code: 'STALE_RATE_CARD' })
    await seller.decideOrder({ path: { order_id }, body: counter({}) })
    expect((await accept()).status).toBe(202)
    const { events } = (await buyer.replayEvents({ query: { order: order_id, after_seq: 3 } })).body
    expect(events.map(({ status, substatus }) => [status, substatus])).toEqual([
      ['negotiating', null],
      ['negotiating', 'quote_lapsed'],
      ['negotiating', null],
      ['placed', null],
    ])
  }, 60_000)

  it("decides by the seller's rules without a person, and leaves to people what the rules hold", async () => {
    const market = await openMarket('summit', seller, buyer)
    const rules: PutApprovalRules['rules'] = [
      { id: 'new-advertisers', when: { advertisers: ['adv-new'] }, then: 'hold' },
      { id: 'the-rest', when: { min_lead_days: 1 }, then: 'approve' },
    ]
    await seller.putApprovalRules({ body: { rules } })
    await seller.putCapabilities({ body: { approval: 'rules' } })
    const { order_id } = await place(buyer, orderBody(market, 'walk-3'))
    const placed = await reaches(order_id, 'placed')
    expect(placed.decision_latency).toMatchObject({ overdue: false })
    const { events } = (await buyer.replayEvents({ query: { order: order_id, after_seq: 3 } })).body
    expect(events.map((event) => event.decision_record)).toEqual([{ gate: 'rule', actor: 'rule:the-rest', decision: 'approve' }])

    const ofNewAdvertiser = { ...JSON.parse(orderBody(market, 'walk-4')), buyer_metadata: { advertiser_id: 'adv-new' } }
    const held = await place(buyer, JSON.stringify(ofNewAdvertiser))
    await reaches(held.order_id, 'seller_review')
    await seller.putCapabilities({ body: {} })
    const decided = await seller.decideOrder({ path: { order_id: held.order_id }, body: { decision: 'reject', actor: 'traffic desk' } })
    expect(decided.status).toBe(202)
  }, 60_000)

  it('has no file in its data directory that another user can read, nor one that only its folder hides', async () => {
    expect(await readableByOthers(product.dataDir)).toEqual([])
  })

  it('finishes open requests at Ctrl-C, which npm forwards a second time, exits with 0 and leaves nothing running', async () => {
    const reader = openOwnClient({ baseUrl: product.baseUrl, token: product.credentials.sellers['ktvl-10']?.token ?? '' })
    const feed = (await reader.readFeed({ query: { limit: 500 } })).body
    const waiting = reader.readFeed({ query: { wait_s: 20, after: feed.next_cursor } })
    // An answer to this request shows that the previous one has arrived.
    await reader.getOwnCatalog()
    const { exitCode, left } = await product.stop('Ctrl-C')
    expect((await waiting).status).toBe(200)
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] })
  }, 30_000)

  it('starts again at the same port after its supervisor was killed, and keeps what a seller has published', async () => {
    await product.startAgain({ env: { SEED: 'catalogs' } })
    const before = (await seller.getOwnCatalog()).body
    const { sftp } = product.credentials
    // The process is suspended, so it keeps its port and has to be killed in the end.
    expect(await product.signal('api', 'SIGSTOP')).toBe(true)
    expect(await product.signal('sftp')).toBe(true)
    await product.killSupervisor()
    const bounces = { MAIL_INBOUND_PORT: String(BOUNCE_PORT), MAIL_BOUNCE_DOMAIN: 'bounces.example.com' }
    await product.startAgain({ env: { SEED: 'catalogs', ...bounces } })
    expect(product.said()).toContain('Waiting for the processes of the last start to stop (')
    expect(product.credentials.sftp).toEqual(sftp)
    expect((await seller.getOwnCatalog()).body).toEqual(before)
  }, 150_000)

  it.each(['sftp', 'bounces'] as const)(
    'starts the server of %s again when it dies',
    async (part) => {
      const [before] = await product.processesOf(part)
      expect(await product.signal(part)).toBe(true)
      await until(async () => {
        const [now] = await product.processesOf(part)
        return now !== undefined && now !== before
      }, 60)
      await until(takesBounces, 60)
    },
    150_000,
  )

  async function takesBounces(): Promise<boolean> {
    const dialog = await smtpDialog(BOUNCE_PORT)
    const reply = await dialog.say('EHLO relay.example')
    dialog.end()
    return reply.startsWith('250')
  }

  async function snapshot(orderId: string): Promise<OrderSnapshot> {
    return (await buyer.getOrder({ path: { order_id: orderId } })).body
  }

  async function reaches(orderId: string, status: string): Promise<OrderSnapshot> {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const order = await snapshot(orderId)
      if (order.status === status) return order
      await sleep(50)
    }
    throw new Error(`${orderId} does not become ${status}: ${(await snapshot(orderId)).status}`)
  }
})
