import { expect, it } from '@jest/globals'
import { startReceiver } from '../support/http/receiver.ts'
import { until } from '../support/until.ts'
import { persistentClient } from './persistentClient.ts'
import { useProduct } from './useProduct.ts'

const product = useProduct()

/** The milliseconds that a receiver takes. A post may take five seconds. */
const SLOW = 4_400

it('a webhook post that is out when everything stops ends, and is not sent again by the next start', async () => {
  const buyer = persistentClient(product.baseUrl, product.credentials.buyers['northlight-media']?.token ?? '')
  const receiver = await startReceiver()
  receiver.answer((res) => setTimeout(() => res.writeHead(204).end(), SLOW))
  const { endpoint_id } = (await buyer.createWebhookEndpoint({ body: { url: receiver.url } })).body
  await buyer.testWebhookEndpoint({ path: { endpoint_id }, body: {} })
  await until(() => receiver.received.length > 0, 60)
  expect(await product.stop()).toMatchObject({ exitCode: 0, left: [] })
  await product.startAgain()
  const delivered = async () => (await buyer.listDeliveries({ path: { endpoint_id }, query: {} })).body.items
  await until(async () => (await delivered())[0]?.status === 'delivered', 60)
  expect([receiver.received.length, (await delivered()).map(({ attempts }) => attempts.length)]).toEqual([1, [1]])
  receiver.close()
}, 300_000)
