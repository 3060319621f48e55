import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '../../src/adapters/http/requestSignature.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Running, runSample, samplesIn } from '../support/files/samples.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const PAGE = 'docs/buy/receiving-webhooks.md'
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const EVENT = { event_type: 'order.status_changed', note: 'Zoë' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

describe('the receiver in Node that the documentation shows', () => {
  let receiver: Running
  let url: string
  beforeAll(async () => {
    const [source = ''] = await samplesIn(PAGE, 'js', 1)
    const port = await freePort()
    url = `http://127.0.0.1:${port}/`
    receiver = await runSample('js', source, folder.path, { PORT: String(port), WEBHOOK_SECRET: SECRET })
    await until(
      () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      20,
    )
  })
  afterAll(() => void receiver.process.kill('SIGKILL'))

  const send = async (body: string, more: Partial<Parameters<typeof signatureHeaders>[0]> = {}) => {
    const timestamp = Math.floor(Date.now() / 1_000)
    const headers = signatureHeaders({ id: 'ord_1:1', body: JSON.stringify(EVENT), timestamp, secrets: [SECRET], ...more })
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  const another = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

  it('answers 204 to what the platform signed, also while secrets rotate, and works on it', async () => {
    expect(await send(JSON.stringify(EVENT))).toBe(204)
    expect(await send(JSON.stringify(EVENT), { secrets: [another, SECRET] })).toBe(204)
    await until(() => receiver.lines().length === 2)
    expect(receiver.lines()[0]).toBe(`ord_1:1 ${JSON.stringify(EVENT)}`)
  })

  it('answers 400 to anything else, and does nothing', async () => {
    expect(await send('{}')).toBe(400)
    expect(await send(JSON.stringify(EVENT), { secrets: [another] })).toBe(400)
    expect(await send(JSON.stringify(EVENT), { timestamp: Math.floor(Date.now() / 1_000) - 301 })).toBe(400)
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(EVENT) })).status).toBe(400)
    expect(receiver.lines()).toHaveLength(2)
  })
})

describe('the registration that the documentation shows', () => {
  const market = useMarket()

  it('registers an endpoint, and prints its secret', async () => {
    const [source = ''] = await samplesIn(PAGE, 'sh', 1)
    const registering = await runSample('sh', source, folder.path, { BASE: market.baseUrl, TOKEN: market.acme.token })
    expect(await registering.ended).toBe(0)
    const { endpoint_id, secret } = JSON.parse(registering.output())
    expect(secret).toMatch(/^whsec_/)
    expect((await market.acme.get(`/webhooks/endpoints/${endpoint_id}`)).status).toBe(200)
  })
})
