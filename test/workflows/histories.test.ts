import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

const HISTORIES = new URL('./histories/', import.meta.url)
const DROP_HISTORIES = new URL('./dropHistories/', import.meta.url)
const MAIL_HISTORIES = new URL('./mailHistories/', import.meta.url)
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
  'settled', // the name of `closed` in earlier versions
  'gate_due',
  'stuck_reason',
  'asks_seller',
]

/** What a run knows of its drop: ids, where it is, and how many rows. */
const KNOWN_OF_DROP = [
  ...['seller', 'drop_id', 'run_no', 'stage', 'waits_for', 'registered_at', 'cursor_file', 'cursor_row'],
  ...['rows_written', 'rows_rejected', 'stuck_reason'],
]

describe.each(readdirSync(HISTORIES))('%s', (file) => {
  it('holds of an order only ids, status and deadlines', () => {
    const members = membersIn(new URL(file, HISTORIES))
    expect(members.filter((name) => !KNOWN.includes(name))).toEqual([])
    expect(members).toContain('order_id')
  })
})

describe.each(readdirSync(DROP_HISTORIES))('%s', (file) => {
  it('holds of a drop only ids, place and counts', () => {
    expect(membersIn(new URL(file, DROP_HISTORIES)).filter((name) => !KNOWN_OF_DROP.includes(name))).toEqual([])
  })
})

describe.each(readdirSync(MAIL_HISTORIES))('%s', (file) => {
  it('holds of the mails of an agreement only ids, times and counts', () => {
    const known = ['at', 'waiting', 'seller', 'buyer_entity', 'stuck']
    expect(membersIn(new URL(file, MAIL_HISTORIES)).filter((name) => !known.includes(name))).toEqual([])
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

/** What the SDK itself notes of a local activity. */
function isMarker(payload: unknown): boolean {
  return Object.hasOwn(payload as object, 'activity_type')
}

function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...membersOf(inner)])
}
