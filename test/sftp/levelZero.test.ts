import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openSpool } from '../../src/operations/drops/spool.ts'
import { closeOrder } from '../../src/operations/orders/closeOrder.ts'
import { planDrop } from '../../src/sdk/dropClient/planDrop.ts'
import { type Entry, writeDropFile } from '../../src/sdk/dropClient/writeDropFile.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import type { Repeated } from '../../worker/repeat.ts'
import { startDropWatch, WATCH_SPEEDS } from '../../worker/watchDrops.ts'
import { ingest } from '../support/drops/drops.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import type { Tenant } from '../support/market.ts'
import { anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { recomputeOf } from '../support/settlement/reconciling.ts'
import { aBilled, aLogged } from '../support/settlement/sendPosts.ts'
import { type Ended, sftp, withOpenSsh, writeAskPass } from '../support/sftp/openSsh.ts'
import { type SftpProcess, startSftpProcess } from '../support/sftp/sftpProcess.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

/** A seller at level 0: what it sends goes by OpenSSH's own client alone, what it decides by a credential of the console. */
const SELLER = 'paper'
const WEEK = '2030-W23'

withOpenSsh('a seller that has SFTP and the console', () => {
  const market = useMarket()
  let folder: TemporaryFolder
  let server: SftpProcess
  let watch: Repeated
  let password: string
  let clerk: Tenant
  beforeAll(async () => {
    const { db, drops } = market.deps
    folder = await temporaryFolder()
    await writeAskPass(folder.path)
    const seller = { entity: SELLER, side: 'seller', kind: 'test' } as const
    password = (await issueCredential(db, { ...seller, scopes: ['catalog:write'] })).token
    clerk = market.tenant((await issueCredential(db, { ...seller, gate: 'console' })).token)
    server = await startSftpProcess(market)
    const logger = { warn: () => undefined }
    const speed = { ...WATCH_SPEEDS.directory, pauseMs: 200 }
    watch = startDropWatch({ db, drops, databaseUrl: market.databaseUrl, dropsPerDay: 500, logger, ...speed })
  })
  market.beforeStop(async () => {
    await watch.stop()
    await server.stop('SIGKILL')
  })
  afterAll(() => folder.remove())

  const run = (...commands: string[]): Promise<Ended> => sftp({ port: server.port, home: folder.path }, SELLER, { password }, commands)

  /** Sends a folder with its manifest last, has it ingested, and fetches its result under this name. */
  async function send(drop_id: string, files: Readonly<Record<string, readonly Entry[]>>, result: 'success.json' | 'errors.json') {
    const local = join(folder.path, drop_id)
    await mkdir(local)
    for (const [name, entries] of Object.entries(files)) await writeFile(join(local, name), await writeDropFile('csv', entries))
    const { manifest } = await planDrop(local, { dropId: drop_id })
    await writeFile(join(local, 'manifest.json'), JSON.stringify(manifest))
    const puts = [...Object.keys(files), 'manifest.json'].map((name) => `put ${join(local, name)} ${drop_id}/${name}`)
    expect(await run(`mkdir ${drop_id}`, ...puts)).toMatchObject({ code: 0, err: '' })
    const { db, drops } = market.deps
    await until(async () => (await readDrop(db, SELLER, drop_id)) !== undefined, 90)
    await ingest({ db, drops, spool: openSpool(folder.path), productsPerSeller: 100 }, { seller: SELLER, drop_id })
    const fetched = join(local, result)
    expect(await run(`get ${drop_id}/${result} ${fetched}`)).toMatchObject({ code: 0 })
    const answer = JSON.parse(await readFile(fetched, 'utf8'))
    await rm(local, { recursive: true })
    return answer
  }

  it('publishes, corrects a row, sells, and is reconciled by its log and its invoice', async () => {
    const bundle = (rated: string) => ({
      'catalog.csv': [{ ...aProduct('evening'), taxonomy_version: 'tax-1' }],
      'rates.csv': ['evening', rated].map((product_id, index) => ({
        ...aRate(product_id, { spot_length: [30, 15][index] }),
        effective: { start: '2030-06-03', end: '2030-06-30' },
      })),
      'avails.csv': [anAvail('evening', { period: { grain: 'week', start: WEEK } })],
    })
    expect(await send('spring', bundle('evenings'), 'errors.json')).toMatchObject({
      status: 'partial',
      rows_written: 3,
      errors: [{ file: 'rates.csv', row: 3, error_code: 'UNKNOWN_PRODUCT_ID', field: 'product_id', value: 'evenings' }],
    })
    expect(await send('spring-2', bundle('evening'), 'success.json')).toMatchObject({ status: 'success', rows_written: 4, errors: [] })

    const orderId = await ordered()
    expect((await clerk.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Mia' })).status).toBe(202)
    expect((await market.events(orderId)).at(-1)).toMatchObject({ status: 'placed', decision_record: { actor: 'Mia', gate: 'console' } })
    await closeOrder(market.deps.orders, market.deps.db, orderId)

    const spots = await spotsOf(orderId)
    const billed = spots.map((spot, index) => aBilled(orderId, { ...spot, ...(index === 0 ? { rate: 1300 } : {}) }))
    const posts = { 'as-run.csv': spots.map((spot) => aLogged(orderId, spot)), 'invoice.csv': billed }
    expect(await send('june', posts, 'success.json')).toMatchObject({ status: 'success', rows_written: 2 * spots.length })
    await recomputeOf(market)(SELLER)
    const { totals, lines } = (await market.acme.get(`/orders/${orderId}/reconciliation`)).body
    expect(totals).toMatchObject({ ordered_gross: 12_505, billed_gross: 12_554.5 })
    const varied = lines.filter(({ codes }: { codes: string[] }) => codes.length > 0)
    expect(varied).toMatchObject([{ air_date: spots[0]?.air_date, codes: ['RATE_MISMATCH'], variance_gross: 49.5 }])
    // Nothing of all this counts as a use of the API.
    const { rows } = await market.owner().query('select uses_api from sellers where seller = $1', [SELLER])
    expect(rows).toEqual([{ uses_api: false }])
  }, 300_000)

  /** An order of a buyer, at the prices that the seller's files say, which waits for its decision. */
  async function ordered(): Promise<string> {
    const { rate_version } = (await market.acme.get(`/sellers/${SELLER}/catalog`)).body
    const { avails } = (await market.acme.get(`/sellers/${SELLER}/avails?weeks=${WEEK}`)).body
    const price = avails[0].rates.find(({ spot_length }: { spot_length: number }) => spot_length === 30)
    const line = market.line({ product_id: 'evening' }, { locked_rate_id: price.locked_rate_id })
    const { status, body } = await market.acme.post('/orders', market.order({ seller: SELLER, rate_version, line_items: [line] }))
    expect([status, await market.validate(body.order_id)]).toEqual([201, 'seller_review'])
    return body.order_id
  }

  /** An airing for each unit of the order, some minutes apart, within the window of its product. */
  async function spotsOf(orderId: string) {
    const [unit] = (await market.snapshot(orderId)).line_items
    const dates = unit?.allocation.flatMap(({ date, units }) => Array.from({ length: units }, (_, index) => ({ date, index }))) ?? []
    return dates.map(({ date, index }) => ({ air_date: date, air_time: `20:${10 + 2 * index}` }))
  }
})
