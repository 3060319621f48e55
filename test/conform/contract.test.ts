import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type Report, runSuite } from '../../src/conform/runSuite.ts'
import { ERRORS } from '../../src/contract/vocabulary/codes.ts'
import { ROOT } from '../support/files/samples.ts'
import { templateOf } from '../support/http/contract.ts'
import { useMarket } from '../support/useMarket.ts'
import { FAULTS } from './contract/faults.ts'
import { faultyProxy } from './contract/faultyProxy.ts'
import { CONTRACT, contractSuite } from './contract/stories.ts'
import { type Met, openContractWorld } from './contract/world.ts'

const market = useMarket()
beforeAll(async () => {
  await market.cable.put('/me/capabilities', { modes: { catalog: true, proposal: true, document: true }, negotiation: true })
})

/** The endpoints of the specification; those that are additive have tests of their own. */
const ENDPOINTS = [
  ...['POST /orders', 'GET /orders', 'GET /orders/{order_id}'],
  ...['confirm', 'respond', 'cancel'].map((command) => `POST /orders/{order_id}/${command}`),
  ...['POST /uploads', 'PUT /uploads/{upload_id}/content', 'GET /uploads/{upload_id}'],
  ...['GET /sellers', 'GET /sellers/{seller}/catalog', 'GET /sellers/{seller}/avails'],
  ...['GET /events', 'GET /events/feed', 'POST /webhooks/endpoints', 'DELETE /webhooks/endpoints/{endpoint_id}'],
  ...['GET /agreements', 'GET /agreements/{agreement_id}/pacing', 'GET /settlement/invoices', 'GET /settlement/credit'],
  ...['GET /me/capabilities', 'PUT /me/capabilities', 'PUT /me/catalog', 'PUT /me/rate-cards', 'PUT /me/avails'],
  ...['POST /me/files/manifest', 'GET /me/orders', 'GET /me/orders/{order_id}', 'GET /me/settlement/invoices'],
  ...['decide', 'plan'].map((command) => `POST /me/orders/{order_id}/${command}`),
]
const STATUSES = [200, 201, 202, 204, 400, 401, 403, 404, 409, 422, 429, 503]
/** Beyond the specification: they have tests of their own. */
const OTHER_CODES = ['METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INTERNAL']

describe('the contract suite', () => {
  let report: Report
  let met: Met
  beforeAll(async () => {
    const world = openContractWorld(market, market.baseUrl)
    report = await runSuite(contractSuite(world))
    met = world.met
  })

  it('passes our own marketplace', () => {
    expect(report.stories.filter(({ grade }) => grade !== 'passed')).toEqual([])
  })

  it('has called every endpoint, and met every status and code of the specification', () => {
    const operations = new Set([...met.operations].map((call) => `${call.split(' ')[0]} ${templateOf(call.split(' ')[1] ?? '')}`))
    expect(ENDPOINTS.filter((endpoint) => !operations.has(endpoint))).toEqual([])
    expect(STATUSES.filter((status) => !met.statuses.has(status))).toEqual([])
    const codes = [...Object.keys(ERRORS).filter((code) => !OTHER_CODES.includes(code)), 'UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY']
    expect(codes.filter((code) => !met.codes.has(code))).toEqual([])
  })
})

describe('of forty faults and more behind a proxy', () => {
  it('there are forty at least, each with a story and a row in the documentation', async () => {
    const page = await readFile(join(ROOT, 'docs/build/contract-suite.md'), 'utf8')
    expect(FAULTS.length).toBeGreaterThanOrEqual(40)
    expect(new Set(FAULTS.map(({ what }) => what)).size).toBe(FAULTS.length)
    expect(FAULTS.filter(({ what, caughtBy }) => !page.includes(`| ${what} | \`${caughtBy}\` |`)).map(({ what }) => what)).toEqual([])
    expect(CONTRACT.filter(({ id, title }) => !page.includes(`| \`${id}\` | ${title} |`)).map(({ id }) => id)).toEqual([])
  })

  it.each(FAULTS)('$what $caughtBy notices it', async ({ caughtBy, make }) => {
    const proxy = await faultyProxy(market.baseUrl, make({ acme: market.acme.token, cable: market.cable.token }))
    try {
      const stories = CONTRACT.filter(({ id }) => id === caughtBy)
      const { stories: results } = await runSuite({ ...contractSuite(openContractWorld(market, proxy.baseUrl)), stories })
      expect(results.map(({ id, grade }) => [id, grade])).toEqual([[caughtBy, 'failed']])
    } finally {
      await proxy.close()
    }
  })

  it('a proxy without a fault passes', async () => {
    const proxy = await faultyProxy(market.baseUrl, {})
    const { stories } = await runSuite(contractSuite(openContractWorld(market, proxy.baseUrl)))
    await proxy.close()
    expect(stories.filter(({ grade }) => grade !== 'passed')).toEqual([])
  })
})
