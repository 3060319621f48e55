import type { z } from 'zod'
import { faultsOf } from '../contract/errorEnvelope.ts'
import type { EntryError } from '../contract/product.ts'
import { type Parsed, quoted } from '../domain/publish/staged.ts'

/** Entries checked between two looks at other requests: a publish of 100,000 must not hold up an order. */
const AT_ONCE = 500
/** Values that one entry may hold, all levels together: each may be a fault of its own. */
const MOST_VALUES = 20_000
/** Faults named of one entry. */
const MOST_FAULTS = 20

/** Checks every entry of a publish on its own: those of the right shape, and INVALID_ENTRY for each fault of the others (spec, One write model). */
export async function parseEntries<T>(
  schema: z.ZodType<T>,
  sent: readonly unknown[],
): Promise<{ parsed: Parsed<T>[]; errors: EntryError[] }> {
  const parsed: Parsed<T>[] = []
  const errors: EntryError[] = []
  for (const [index, entry] of sent.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve))
    const result = holdsMoreThan(MOST_VALUES, entry) ? undefined : schema.safeParse(entry)
    if (result === undefined) errors.push(tooLarge(index))
    else if (result.success) parsed.push({ index, value: result.data })
    else errors.push(...entryErrors(index, entry, result.error.issues))
  }
  return { parsed, errors }
}

function entryErrors(index: number, entry: unknown, issues: readonly z.core.$ZodIssue[]): EntryError[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return [{ index, error_code: 'INVALID_ENTRY', ...quoted(entry), message: 'An entry must be an object.' }]
  }
  return faultsOf(issues.slice(0, MOST_FAULTS), entry).map(({ field = '', message }) => ({
    index,
    error_code: 'INVALID_ENTRY',
    field,
    ...quoted(valueAt(entry, field)),
    message,
  }))
}

function tooLarge(index: number): EntryError {
  return { index, error_code: 'INVALID_ENTRY', message: `An entry holds at most ${MOST_VALUES} values.` }
}

function holdsMoreThan(most: number, entry: unknown): boolean {
  let values = 0
  for (const open: unknown[] = [entry]; open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    values += inner.length
    if (values > most) return true
    for (const one of inner) open.push(one)
  }
  return false
}

function valueAt(entry: object, field: string): unknown {
  let value: unknown = entry
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
