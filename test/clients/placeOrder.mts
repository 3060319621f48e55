// Places the order of a file with types that openapi-typescript generated: placeOrder <base url> <token> <body file>; prints the reply as JSON.
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const [baseUrl = '', token = '', file = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
const body: components['schemas']['CreateOrder'] = JSON.parse(await readFile(file, 'utf8'))

const placed = await client.POST('/orders', { body })
if (placed.error !== undefined) throw new Error(`${placed.error.error_code}: ${placed.error.error_message}`)
const { order_id, status } = placed.data

const read = await client.GET('/orders/{order_id}', { params: { path: { order_id } } })
if (read.error !== undefined) throw new Error(`${read.error.error_code}: ${read.error.error_message}`)
const lines: number = read.data.line_items.length
process.stdout.write(`${JSON.stringify({ order_id, status, lines })}\n`)
