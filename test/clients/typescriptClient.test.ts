import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { bookedOrder } from '../support/settlement/sendPosts.ts'
import { useMarket } from '../support/useMarket.ts'
import { bodyFile, run } from './generators.ts'
import { programOfPackedClient } from './packedClient.ts'
import { CLIENT, makeSchema, makeTable } from './typescriptTools.ts'

const market = useMarket()

describe('the TypeScript client, packed and installed into an empty project', () => {
  it('compiles there, and does what its page says against a marketplace', async () => {
    const program = await programOfPackedClient()
    const earlier = [await market.created(), await market.created()]
    const placed = await bookedOrder(market)
    const order = market.order()
    const folder = await temporaryFolder()
    const base = market.baseUrl.replace(/\/v1$/, '/')
    const { stdout } = await run(process.execPath, [
      ...[program, base, market.acme.token, await bodyFile(folder.path, order)],
      ...[market.cable.token, placed],
    ])
    await folder.remove()
    const saw = JSON.parse(stdout)
    const { order_id } = saw.created
    expect(saw).toMatchObject({ entity: 'acme', side: 'buyer', gross: '12505.00', status: 'submitted' })
    expect(saw.created).toMatchObject({ external_order_id: order.external_order_id, status: 'submitted' })
    expect(saw.listed).toEqual([order_id, ...earlier.reverse()])
    // A lost reply and a 503 are tried again, and nothing is done twice.
    const times = (call: string) => saw.sent.filter((one: string) => one === call).length
    expect([times('POST /v1/orders'), times('GET /v1/orders/id')]).toEqual([3, 3])
    expect(saw.had).toEqual([...new Set(saw.had)])
    const ofOthers = saw.had.filter((id: string) => !id.startsWith(placed))
    expect(new Set(ofOthers)).toEqual(new Set([order_id, ...earlier].map((id: string) => `${id}:1`)))
    expect(saw.refusal).toEqual({ isTyped: true, code: 'INVALID_INPUT', status: 422, field: 'seller', faults: 1, hasRequestId: true })
    expect(saw.makegoods).toEqual({ statuses: ['noticed', 'offered', 'accepted'], areListed: true })
    expect(saw.uploads).toEqual(['uploaded', 'uploaded'])
    expect(saw.webhook).toEqual({ type: 'webhook.test', forged: true })
  }, 600_000)
})

describe('what of the client is made from the document', () => {
  it('is that of the document: npm run client:typescript makes it', async () => {
    const folder = await temporaryFolder()
    const made = join(folder.path, 'schema.ts')
    await makeSchema(made)
    const [schema, kept, table] = await Promise.all(
      [made, join(CLIENT, 'src/schema.ts'), join(CLIENT, 'src/operationTable.ts')].map((file) => readFile(file, 'utf8')),
    )
    await folder.remove()
    expect(schema === kept).toBe(true)
    expect(table).toBe(await makeTable())
  }, 600_000)
})
