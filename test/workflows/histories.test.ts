import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

/**
 * What a run knows of its order: ids, status and deadlines. A new member needs a look: nothing confidential enters a history (architecture, Ids
 * only).
 */
const KNOWN = [
  'order_id',
  'seller',
  'buyer_entity',
  'workflow',
  'status',
  'substatus',
  'last_seq',
  'parked_since',
  'decide_by',
  'due_at',
  'closed',
  'gate_due',
  'stuck_reason',
  'asks_seller',
  // What a run is told of a command, and of what an order has passed.
  'seq',
  'gate',
  'passed',
]

/** What a run knows of its drop: ids, where it is, and how many rows. */
const KNOWN_OF_DROP = [
  ...['seller', 'drop_id', 'run_no', 'stage', 'waits_for', 'registered_at', 'cursor_file', 'cursor_row'],
  ...['rows_written', 'rows_rejected', 'stuck_reason'],
]

const KNOWN_OF_MAILS = ['at', 'waiting', 'seller', 'buyer_entity', 'stuck', 'sent']
const KNOWN_OF_RECONCILING = ['at', 'waiting', 'seller', 'failing']
/** What runs that are no order's know: of deliveries, holds, makegoods and scheduled work only ids, times, counts, versions and statuses. */
const KNOWN_OF_OTHERS = [
  ...KNOWN_OF_DROP,
  ...KNOWN_OF_MAILS,
  ...KNOWN_OF_RECONCILING,
  ...['delivered', 'last_status', 'status', 'version', 'next', 'due_at', 'lapsed', 'cleared', 'orders', 'issued'],
]

const HISTORIES: [folder: string, about: string, known: readonly string[]][] = [
  ['histories', 'of an order only ids, status and deadlines', KNOWN],
  ['stories', 'of an order only ids, status and deadlines', KNOWN],
  ['dropHistories', 'of a drop only ids, place and counts', KNOWN_OF_DROP],
  ['mailHistories', 'of the mails of an agreement only ids, times and counts', KNOWN_OF_MAILS],
  ['reconcileHistories', 'of the orders of a seller only its id, times and counts', KNOWN_OF_RECONCILING],
  ['otherStories', 'of what is no order only ids, times and counts', KNOWN_OF_OTHERS],
]

describe.each(HISTORIES)('each of %s', (folder, about, known) => {
  const files = new URL(`${folder}/`, import.meta.url)

  it.each(readdirSync(files))(`holds ${about}: %s`, (file) => {
    expect(membersIn(new URL(file, files)).filter((name) => !known.includes(name))).toEqual([])
  })

  it('is read: what is looked for would be found', () => {
    expect(readdirSync(files).flatMap((file) => membersIn(new URL(file, files)))).toContain(known[0])
  })
})

/** The names of all members that the payloads of a history have. */
function membersIn(file: URL): string[] {
  const members = payloadsOf(JSON.parse(readFileSync(file, 'utf8')))
    .filter((payload) => !isMarker(payload))
    .flatMap((payload) => membersOf(payload))
  return [...new Set(members)]
}

/** The JSON that workflows, activities and signals were given and gave back: every `data` of a payload, decoded. */
function payloadsOf(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  const { data, metadata } = node as { data?: unknown; metadata?: { encoding?: string } }
  if (typeof data === 'string' && metadata !== undefined) {
    const text = Buffer.from(data, 'base64').toString()
    return text.startsWith('{') ? [JSON.parse(text)] : []
  }
  return Object.values(node).flatMap(payloadsOf)
}

/** What the SDK itself notes of a local activity or of a patch. */
function isMarker(payload: unknown): boolean {
  return ['activity_type', 'deprecated'].some((own) => Object.hasOwn(payload as object, own))
}

function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...membersOf(inner)])
}
