import { sha256Of } from '../files/uploads.ts'

/** The time at which the recorded walk seems to begin. */
const BEGIN = Date.parse('2027-01-11T15:00:00.000Z')

/**
 * Replaces values that differ between walks: ids, hashes, secrets and cursors by their place in the walk, times by the time since its
 * start. Equal ids get equal replacements everywhere, so replies still refer to each other. Hashes in `kept` stay.
 */
export function stabilizer(start: number, kept: readonly string[]): (value: unknown) => unknown {
  const ids = new Map<string, string>()
  const counts = new Map<string, number>()
  const numbered = (kind: string, real: string, write: (count: number) => string) => {
    const known = ids.get(real)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    ids.set(real, write(count))
    return write(count)
  }
  const text = (real: string) =>
    real
      .replaceAll(ID, (id, prefix: string) => numbered(prefix, id, (count) => prefix + String(count).padStart(26, '0')))
      .replaceAll(HASH, (hash) => (kept.includes(hash) ? hash : numbered('hash', hash, (count) => sha256Of(`${count}`))))
      .replaceAll(TIME, (time) => rebased(time, start))
  const stable = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(stable)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, member]) => [name, FIXED[name]?.(member) ?? stable(member)])
    return inOrder(Object.fromEntries(members))
  }
  return stable
}

const ID = /\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/g
const HASH = /\b[0-9a-f]{64}\b/g
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g

/** Members that are random or depend on the machine. */
const FIXED: Readonly<Record<string, (value: unknown) => unknown>> = {
  request_id: (value) => (/^[\da-f]{8}-/.test(String(value)) ? '8f14e45f-ceea-467f-a8c1-3b2f6d9e0a11' : undefined),
  last_four: (value) => value && 'x7Kq',
  next_cursor: (value) => value && 'WyJvcGFxdWUiXQ',
  secret: (value) => value && `whsec_${Buffer.from('This is an example, not a secret').toString('base64')}`,
  source_ip: (value) => value && '203.0.113.7',
  token: (value) => value && 'omp_test_THISISANEXAMPLENOTATOKEN000000000000',
  elapsed_s: () => 86_400,
  seconds: () => 0,
  worker_id: () => 'marketplace-1',
  oldest_s: () => 0.2,
  age_s: () => 0,
  webhook_s: () => 1.5,
  mail_s: () => 0.8,
  queue_s: () => 0,
}

/** Sorts the rows of a receipt, which come in the order of their units' ids. */
function inOrder(object: { daylocks?: { unit_id: string; date: string }[] }): unknown {
  const { daylocks } = object
  if (daylocks === undefined) return object
  const keyOf = (row: (typeof daylocks)[number]) => `${row.unit_id} ${row.date}`
  return { ...object, daylocks: daylocks.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }
}

/** Moves a time near the walk together with it. Other times are sent with the examples and stay. */
function rebased(time: string, start: number): string {
  const since = Date.parse(time) - start
  return Math.abs(since) < NEAR ? new Date(BEGIN + since).toISOString() : time
}
const NEAR = 30 * 86_400_000

/** Returns a recording without its times, since two walks never take the same time. */
export function timeless(recording: unknown): unknown {
  return JSON.parse(JSON.stringify(recording).replaceAll(TIME, 'TIME'))
}
