import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { inventoryOf } from '../../src/local/sandbox/inventory.ts'
import { hasPython } from '../clients/generators.ts'
import { programOfPackedClient } from '../clients/packedClient.ts'
import { pythonPackage } from '../clients/pythonPackage.ts'
import { useProduct } from '../e2e/useProduct.ts'
import { endProcess } from '../support/childProcesses.ts'
import { ROOT } from '../support/files/samples.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { runProgram } from '../support/runProgram.ts'
import { succeeds } from '../support/succeeds.ts'
import { linesOfPage, runPages } from './pages.ts'
import { callsOf, playSeller } from './playedSeller.ts'

/** One product for every suite: it plays the other side of each. */
const product = useProduct({ env: { SEED: 'catalogs' } })
jest.setTimeout(300_000)

const conform = (...args: string[]) => runProgram('src/commandLine/main', ['conform', ...args])
const tokenOf = (name: string) => (product.credentials.sellers[name] ?? product.credentials.buyers[name])?.token ?? ''

const calls = (token: string) => callsOf(product.baseUrl, token)

/** A tenant that nobody knows, with calls of its own. */
async function fresh(side: 'buyer' | 'seller') {
  const made = await calls(tokenOf('northlight-media'))('POST', '/sandbox/tenants', { side })
  return { token: made.token as string, call: calls(made.token) }
}

const gradesOf = ({ out }: { out: string }) =>
  Object.fromEntries(
    JSON.parse(out).stories.map(({ id, grade, cause }: { id: string; grade: string; cause?: string }) => [
      id,
      grade === 'passed' ? grade : [grade, cause],
    ]),
  )

describe('conform seller', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  let api: ChildProcess
  let pull: object
  beforeAll(async () => {
    api = spawn(process.execPath, ['docs/examples/pull-seller/server.mjs'], {
      cwd: ROOT,
      env: { SECRET: secret, PORT: '0', APPROVE_UP_TO: '1000000000' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: api.stdout as NonNullable<typeof api.stdout> }), 'line')
    pull = { pull: { base_url: String(line).replace('listening ', ''), secret_ref: 'pull' } }
  })
  afterAll(() => endProcess(api, 'SIGTERM'))

  it("passes the demo's seller with an API of its own: level 2 by its stories", async () => {
    const call = calls(tokenOf('summit'))
    await call('PUT', '/me/secrets/pull', { value: secret })
    const modes = { catalog: true, proposal: false, document: true }
    await call('PUT', '/me/capabilities', { transports: pull, approval: 'pull', realtime_availability: true, modes })
    const ended = await conform('seller', '--url', product.baseUrl, '--token', tokenOf('summit'), '--json')
    expect(gradesOf(ended)).toMatchObject({
      'seller.publishes': 'passed',
      'seller.drops': ['not_applicable', expect.any(String)],
      'seller.decides': 'passed',
      'seller.document': 'passed',
      'seller.canceled': 'passed',
      'seller.in_time': 'passed',
      'seller.live': 'passed',
      'seller.counters': ['not_applicable', expect.stringContaining('declare negotiation')],
    })
    expect([ended.code, JSON.parse(ended.out).badge.level]).toEqual([0, 2])
  })

  it('passes a seller that negotiates, plans and holds: level 4; and one that decides nothing fails', async () => {
    const { token, call } = await fresh('seller')
    const { catalog, rateCard, avails } = inventoryOf('sandbox-tv', new Date().toISOString().slice(0, 10))
    for (const [path, body] of Object.entries({ catalog, 'rate-cards': rateCard, avails })) await call('PUT', `/me/${path}`, body)
    const early = await conform(
      'seller',
      '--url',
      product.baseUrl,
      '--token',
      token,
      '--only',
      'seller.decides',
      '--patience',
      '3',
      '--json',
    )
    expect([early.code, gradesOf(early)]).toEqual([
      1,
      { 'seller.decides': ['failed', expect.stringContaining('is still seller_review after 3 s')] },
    ])
    await call('PUT', '/me/secrets/pull', { value: secret })
    const declared = { realtime_availability: true, negotiation: true, holds: true, sla: { min_lead_minutes: 60 } }
    await call('PUT', '/me/capabilities', { transports: pull, ...declared, modes: { catalog: true, proposal: true, document: true } })
    const playing = playSeller(call)
    const folder = await temporaryFolder()
    const out = join(folder.path, 'report')
    const ended = await conform('seller', '--url', product.baseUrl, '--token', token, '--counters', 'sbx-countered', '--out', out, '--json')
    await playing.stop()
    const grades = gradesOf(ended)
    expect(Object.values(grades).filter((grade) => grade !== 'passed')).toEqual([
      ['not_applicable', expect.stringContaining('no drop')],
      ['not_applicable', expect.stringContaining('no endpoint')],
    ])
    expect([ended.code, JSON.parse(ended.out).badge.level]).toEqual([0, 4])
    const written = await Promise.all(['json', 'xml', 'svg'].map((ending) => readFile(join(out, `conform-seller.${ending}`), 'utf8')))
    expect(written.map((text) => text.length > 100)).toEqual([true, true, true])
    await folder.remove()
  })
})

/** A program that knows nothing but how to order. */
const NAIVE = `
import { readFileSync } from 'node:fs'
const { seller, product_id, week, units, external_order_id, advertiser_id } = JSON.parse(readFileSync(0, 'utf8'))
const headers = { authorization: 'Bearer ' + process.env.MARKETPLACE_TOKEN, 'content-type': 'application/json' }
const call = async (path, init = {}) => (await fetch(process.env.MARKETPLACE_URL + path, { headers, ...init })).json()
const { avails } = await call('/sellers/' + seller + '/avails?product_id=' + product_id + '&weeks=' + week)
const { gross_rate_unit: unit_cost, spot_length, locked_rate_id, market_class, advertiser_class, buy_type, currency } = avails[0].rates[0]
const rate = { unit_cost, locked_rate_id, market_class, advertiser_class, buy_type, currency }
const line = { product_id, period: { grain: 'week', start: week }, units, spot_length, rate }
const order = { seller, external_order_id, rate_version: 'conform-1', buyer_metadata: { advertiser_id }, line_items: [line] }
await call('/orders', { method: 'POST', body: JSON.stringify(order) })
setInterval(() => undefined, 1_000)
`

describe('conform buyer', () => {
  const run = async (command: string, ...more: string[]) => {
    const { token } = await fresh('buyer')
    return conform('buyer', '--url', product.baseUrl, '--token', token, '--run', command, '--patience', '90', '--json', ...more)
  }
  const notPassed = (ended: { out: string }) => Object.entries(gradesOf(ended)).filter(([, grade]) => grade !== 'passed')

  it('passes a program on the TypeScript client', async () => {
    const program = join(dirname(await programOfPackedClient()), 'buyer.mjs')
    await copyFile(join(ROOT, 'docs/examples/buyer/buyer.mjs'), program)
    const ended = await run(`${process.execPath} ${program}`)
    expect([ended.err, notPassed(ended), ended.code]).toEqual(['', [], 0])
  })

  ;(hasPython ? it : it.skip)('passes a program on the Python client', async () => {
    const { python } = await pythonPackage()
    const ended = await run(`${python} docs/examples/buyer/buyer.py`)
    expect([ended.err, notPassed(ended), ended.code]).toEqual(['', [], 0])
  })

  it.each([
    ['buyer.catalog', 'orders nothing', 'process.exit(0)', 'no order came'],
    ['buyer.replay', 'gives up when a reply is cut', NAIVE, 'the program ended with 1'],
    ['buyer.accepts', 'leaves counters alone', NAIVE, 'is still negotiating'],
  ])('%s fails a program that %s', async (story, _, source, cause) => {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'naive.mjs')
    await writeFile(file, source)
    const ended = await run(`${process.execPath} ${file}`, '--only', story, '--patience', '5')
    await folder.remove()
    expect([ended.code, gradesOf(ended)]).toEqual([1, { [story]: ['failed', expect.stringContaining(cause)] }])
  })
})

describe('the command', () => {
  const url = () => product.baseUrl

  it('ends with 2 for what makes no sense, and with 3 where nothing answers', async () => {
    const buyer = tokenOf('northlight-media')
    const runs = await Promise.all([
      conform('seller', '--url', url(), '--token', buyer),
      conform('buyer', '--url', url(), '--token', 'nobody'),
      conform('buyer', '--url', 'http://127.0.0.1:9', '--token', buyer),
      conform('buyer'),
      conform('buyer', '--url', url(), '--token', buyer, '--production-url', url()),
    ])
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 3, 2, 2])
    for (const { err, out } of runs) expect([err.split('\n').length, out]).toEqual([2, ''])
    expect(runs[4]?.err).toContain('a sandbox must never be where orders are real')
  })
})

describe('the pages to start from', () => {
  const buying = ['quick-start', 'prices', 'waiting', 'counters', 'proposals', 'idempotency', 'errors'].map((name) => `docs/buy/${name}.md`)
  const selling = ['quick-start', 'deciding'].map((name) => `docs/sell/${name}.md`)
  const hasTools = succeeds('jq', '--version') && succeeds('curl', '--version')
  if (!hasTools) process.stdout.write('There is no curl or jq: the samples of docs/buy and docs/sell are not run.\n')

  it('have quick starts of less than 60 lines', async () => {
    for (const page of ['docs/buy/quick-start.md', 'docs/sell/quick-start.md']) expect(await linesOfPage(page)).toBeLessThan(60)
  })

  ;(hasTools ? it : it.skip).each([
    ['buyer', buying],
    ['seller', selling],
  ] as const)('have samples that do what they say, for a %s', async (side, pages) => {
    const folder = await temporaryFolder()
    const { token } = await fresh(side)
    await runPages(pages, folder.path, { BASE: `${product.baseUrl}/v1`, TOKEN: token })
    await folder.remove()
  })
})
