import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readHead } from '../../src/store/orders/orderHead.ts'
import { endProcess } from '../support/childProcesses.ts'
import { findGoProgram } from '../support/engines/goProgram.ts'
import { startTemporalServer, TEMPORAL_SERVER, type TemporalServer } from '../support/engines/temporalServer.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import { runProgram } from '../support/runProgram.ts'
import { type Authority, makeAuthority } from '../support/tls/authority.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

/** In the certificate of the server, which is reached by its address. */
const NAME = 'temporal.marketplace.example'

describe("Temporal's own server that demands client certificates", () => {
  const market = useMarket()
  const workers = workerProcesses()
  let authority: Authority
  let stranger: Authority
  let server: TemporalServer
  let client: { cert: string; key: string }

  beforeAll(async () => {
    ;[authority, stranger] = await Promise.all([makeAuthority('Authority'), makeAuthority('Stranger')])
    client = await authority.issue('worker')
    const [ca, cert, key] = await Promise.all([readFile(authority.ca), readFile(client.cert), readFile(client.key)])
    const proofs = { ca: authority.ca, name: NAME, server: await authority.issue(NAME), client: { ca, cert, key } }
    const program = await findGoProgram(TEMPORAL_SERVER) // built before, by the command that runs this
    if (program === undefined) throw new Error('there is no server to test on')
    server = await startTemporalServer(program, proofs)
  }, 180_000)
  market.beforeStop(() => workers.kill())
  afterAll(async () => {
    await server.stop()
    await Promise.all([authority.remove(), stranger.remove()])
  })

  const settings = () => ({
    DATABASE_URL: market.databaseUrl,
    DATA_DIR: market.dataDir,
    SECRETS_KEY: market.secretsKey.toString('base64'),
    LOG_LEVEL: 'error',
    TEMPORAL_ADDRESS: server.address,
    TEMPORAL_TLS: 'on',
    TEMPORAL_TLS_CA: authority.ca,
    TEMPORAL_SERVER_NAME: NAME,
  })
  const withCertificate = ({ cert, key } = client) => ({ TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key })

  it('carries an order from its create to its end', async () => {
    const worker = await workers.start({ ...settings(), ...withCertificate() })
    const order = await market.created()
    await until(async () => (await market.snapshot(order)).status === 'seller_review', 120)
    expect((await market.cable.post(`/me/orders/${order}/decide`, { decision: 'approve', actor: 'Ada' })).status).toBe(202)
    await until(async () => (await readHead(market.deps.db, order))?.closed === true, 120)
    expect((await market.snapshot(order)).status).toBe('placed')
    expect(await endProcess(worker, 'SIGTERM')).toBe(0)
  }, 300_000)

  it.each<[string, () => Promise<NodeJS.ProcessEnv>, string]>([
    ['no client certificate', async () => ({}), 'demands a client certificate; set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY'],
    [
      'a client certificate of another authority',
      async () => withCertificate(await stranger.issue('worker')),
      'refuses the certificate of TEMPORAL_TLS_CERT; set one that it trusts and that has not expired',
    ],
    [
      'an authority that the server is not of',
      async () => ({ ...withCertificate(), TEMPORAL_TLS_CA: stranger.ca }),
      'has a certificate of an authority that is not trusted; set TEMPORAL_TLS_CA',
    ],
    [
      'another name than the one in its certificate',
      async () => ({ ...withCertificate(), TEMPORAL_SERVER_NAME: 'localhost' }),
      'has a certificate for another name; set TEMPORAL_SERVER_NAME to the name in it',
    ],
  ])(
    'ends a worker with one sentence: %s',
    async (_, more, why) => {
      const { code, err } = await runProgram('worker/main', [], { ...settings(), ...(await more()) })
      const sentence = err.replace(/ \(ERR_SSL_\w+\)\.\n$/, '.\n')
      expect([code, sentence]).toEqual([1, `The Temporal of TEMPORAL_ADDRESS ${server.address} ${why}.\n`])
    },
    180_000,
  )
})
