// Places the order of a file with types that openapi-typescript generated: placeOrder <base url> <token> <body file>; prints what it read as JSON.
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const [baseUrl = '', token = '', file = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
const body: components['schemas']['CreateOrder'] = JSON.parse(await readFile(file, 'utf8'))

const placed = await client.POST('/orders', { body })
if (placed.error !== undefined) throw new Error(`${placed.error.error_code}: ${placed.error.error_message}`)
if (!('order_id' in placed.data)) throw new Error('a create was answered as a dry run')
const { order_id } = placed.data

const read = await client.GET('/orders/{order_id}', { params: { path: { order_id } } })
if (read.error !== undefined) throw new Error(`${read.error.error_code}: ${read.error.error_message}`)
const feed = await client.GET('/events/feed')
if (feed.error !== undefined) throw new Error(`${feed.error.error_code}: ${feed.error.error_message}`)
const lines: number = read.data.line_items.length
const last: string | undefined = feed.data.events.at(-1)?.event_type
process.stdout.write(`${JSON.stringify({ order_id, status: read.data.status, lines, last })}\n`)
