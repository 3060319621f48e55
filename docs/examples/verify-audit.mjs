// node verify-audit.mjs [--body order.json] [--head <hash>] page-1.json [page-2.json …]
// Verifies the pages of GET /v1/orders/{order_id}/audit, in their order, with nothing but Node's own crypto.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const { values, positionals } = parseArgs({ options: { body: { type: 'string' }, head: { type: 'string' } }, allowPositionals: true })
const pages = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')))
const [first] = pages
const faults = []
const expect = (holds, fault) => holds || faults.push(fault)

expect(first?.algorithm === 'order-audit-1', `the algorithm is ${first?.algorithm}, this script knows order-audit-1`)
const record = first?.record ?? {}
for (const part of ['request', 'facts', 'reply', 'notify_endpoint'])
  expect(record[part] === undefined || sha256(record[part]) === record[`${part}_sha256`], `the ${part} is not what was hashed`)
const hashes = [record.sent_sha256, record.request_sha256, record.facts_sha256, record.reply_sha256, record.notify_endpoint_sha256]
expect(sha256([first?.algorithm, first?.order_id, ...hashes].join('\n')) === record.hash, 'the record does not hash to its hash')
if (values.body !== undefined) expect(sha256(readFileSync(values.body)) === record.sent_sha256, `${values.body} is not what was sent`)

let [last, seq] = [record.hash, 0]
const seen = new Set([last])
for (const event of pages.flatMap(({ events }) => events)) {
  seq += 1
  expect(event.seq === seq, `event ${event.seq} is in the place of event ${seq}`)
  expect(
    JSON.parse(event.body).seq === seq && JSON.parse(event.body).order_id === first.order_id,
    `event ${seq} is of another place or order`,
  )
  expect(event.prev_hash === last, `event ${seq} does not follow the event before`)
  last = sha256(`${last}\n${seq}\n${event.body}`)
  expect(event.hash === last, `event ${seq} does not hash to its hash`)
  seen.add(last)
}
const end = pages.at(-1)
expect(end?.next_after_seq === null && end.last_seq === seq && end.head_hash === last, 'the pages do not reach the newest event')
if (values.head !== undefined) expect(seen.has(values.head), `the chain does not go through ${values.head}`)

for (const fault of faults) console.log(fault)
if (faults.length === 0) console.log(`${first.order_id}: ${seq} events verified, head ${last}`)
process.exitCode = faults.length === 0 ? 0 : 1
