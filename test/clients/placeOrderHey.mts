// Places the order of a file with the client that hey-api generated: placeOrderHey <base url> <token> <body file>; prints what it read as JSON.
import { readFile } from 'node:fs/promises'
import { client } from './client/client.gen.js'
import { createOrder, getOrder, readFeed } from './client/sdk.gen.js'
import type { CreateOrder } from './client/types.gen.js'

const [baseUrl = '', token = '', file = ''] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: token, throwOnError: true })
const body = JSON.parse(await readFile(file, 'utf8')) as CreateOrder

const { data: placed } = await createOrder({ body, throwOnError: true })
if (!('order_id' in placed)) throw new Error('a create was answered as a dry run')
const { order_id } = placed
const { data: order } = await getOrder({ path: { order_id }, throwOnError: true })
const { data: feed } = await readFeed({ throwOnError: true })
const last: string | undefined = feed.events.at(-1)?.event_type
process.stdout.write(`${JSON.stringify({ order_id, status: order.status, lines: order.line_items.length, last })}\n`)
