import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import ssh2 from 'ssh2'
import { sshFingerprint } from '../../src/adapters/sshKey.ts'
import { openClient } from '../../src/client/client.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { until } from '../support/until.ts'
import { openMarket, orderBody, place } from './market.ts'
import { type Product, startProduct } from './product.ts'

describe('npm start', () => {
  let dataDir: string
  let port: number
  let product: Product

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'marketplace-start-'))
    port = await freePort()
    product = await startProduct({ dataDir, port, by: 'npm', env: { SEED: 'catalogs' } })
  }, 150_000)

  afterAll(async () => {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }, 30_000)

  it('is ready with the sellers that publish over the API on sale, and with a worker that moves orders', async () => {
    const { base_url, buyers, sellers } = product.credentials
    const buyer = openClient({ baseUrl: base_url, token: buyers['northlight-media']?.token ?? '' })
    const { body } = await buyer.listSellers()
    expect(body.sellers.map(({ seller }) => seller)).toEqual(['ktvl-10', 'lakeshore-28', 'summit'])
    for (const seller of ['ktvl-10', 'summit']) {
      const { avails } = (await buyer.getAvails({ path: { seller } })).body
      expect(avails.some(({ rates }) => rates.length > 0)).toBe(true)
    }
    const market = await openMarket('summit', openClient({ baseUrl: base_url, token: sellers.summit?.token ?? '' }), buyer)
    const { order_id } = await place(buyer, orderBody(market, 'at-once'))
    await until(async () => (await buyer.getOrder({ path: { order_id } })).body.status === 'seller_review', 30)
  }, 60_000)

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

  it('lets requests end at Ctrl-C, which comes to it twice through npm, and exits with 0', async () => {
    const seller = openClient({ baseUrl: product.baseUrl, token: product.credentials.sellers['ktvl-10']?.token ?? '' })
    const feed = (await seller.readFeed({ query: { limit: 500 } })).body
    const waiting = seller.readFeed({ query: { wait_s: 20, after: feed.next_cursor } })
    // Whatever was sent before it has come in when this is answered.
    await seller.getOwnCatalog()
    const { exitCode, left } = await product.stop('Ctrl-C')
    expect((await waiting).status).toBe(200)
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] })
  }, 30_000)

  it('goes on at once, at the same port, where a supervisor was killed, and leaves what a seller has published alone', async () => {
    product = await startProduct({ dataDir, port, env: { SEED: 'catalogs' } })
    const seller = openClient({ baseUrl: product.baseUrl, token: product.credentials.sellers.summit?.token ?? '' })
    const before = (await seller.getOwnCatalog()).body
    const { sftp } = product.credentials
    // Suspended, so that it keeps its port, and has to be killed in the end.
    expect(await product.signal('api', 'SIGSTOP')).toBe(true)
    expect(await product.signal('sftp')).toBe(true)
    await product.killSupervisor()
    product = await startProduct({ dataDir, port, env: { SEED: 'catalogs' } })
    expect(product.said()).toContain('Waiting for the processes of the last start to stop (')
    expect(product.credentials.sftp).toEqual(sftp)
    expect((await seller.getOwnCatalog()).body).toEqual(before)
  }, 150_000)
})
