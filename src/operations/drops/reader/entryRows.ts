import { isDeepStrictEqual } from 'node:util'
import type { SentEntry } from './sentEntry.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Joins the rows of one product: adjacent rows with its product_id, each of which adds an item to one of its lists. Their other cells are
 * empty or equal those of the first row. A row that adds no item is a separate entry.
 */
export class EntryRows {
  #open: { sent: SentEntry; rows: number[]; itemRows: number[] } | undefined

  /** Returns the previous entry if this row completes it. */
  take(sent: SentEntry): SentEntry[] {
    const open = this.#open
    if (open !== undefined && continues(open.sent, sent)) {
      open.rows.push(sent.row)
      this.#open = { ...open, sent: joined(open.sent, sent, open.itemRows) }
      return []
    }
    const done = this.end()
    if (sent.error !== undefined) return [...done, sent]
    this.#open = { sent, rows: [sent.row], itemRows: listOf(sent.entry) === undefined ? [] : [sent.row] }
    return done
  }

  end(): SentEntry[] {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? [] : [{ ...open.sent, rows: open.rows, itemRows: open.itemRows }]
  }
}

function continues(first: SentEntry, later: SentEntry): boolean {
  if (later.error !== undefined || listOf(later.entry) === undefined) return false
  const { product_id } = later.entry as Members
  return product_id !== undefined && product_id === (first.entry as Members).product_id
}

/** Adds the item of a later row. If other cells of that row differ, the entry is refused at that row. */
function joined(first: SentEntry, later: SentEntry, itemRows: number[]): SentEntry {
  const list = listOf(later.entry)
  if (list === undefined || first.error !== undefined) return first
  const different = differentMember(first, later, list.name)
  if (different !== undefined) {
    const message = `${different} differs from row ${first.row} of the same product; leave it empty or repeat it.`
    return { ...first, error: { row: later.row, error_code: 'INVALID_ENTRY', field: different, message } }
  }
  const definition = (first.entry as { definition: Record<string, unknown> }).definition
  const items = (definition[list.name] as unknown[] | undefined) ?? []
  items.push(...list.items)
  definition[list.name] = items
  itemRows.push(later.row)
  return first
}

/** Returns the list to which a row adds an item. */
function listOf(entry: unknown): { name: string; items: unknown[] } | undefined {
  const definition = (entry as { definition?: Members }).definition ?? {}
  for (const name of LISTS) if (Array.isArray(definition[name])) return { name, items: definition[name] }
  return undefined
}

const LISTS = ['windows', 'occurrences'] as const

function differentMember(first: SentEntry, later: SentEntry, list: string): string | undefined {
  return different(first.head, later.head, '', '') ?? different(first.entry as Members, later.entry as Members, '', `definition.${list}`)
}

/** Returns the path of a member of `later` that differs from `first`. */
function different(first: Members, later: Members, path: string, except: string): string | undefined {
  for (const [name, value] of Object.entries(later)) {
    const at = path === '' ? name : `${path}.${name}`
    if (at === except) continue
    const known = first[name]
    const areObjects = isObject(known) && isObject(value)
    const found = areObjects ? different(known, value, at, except) : isDeepStrictEqual(known, value) ? undefined : at
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
