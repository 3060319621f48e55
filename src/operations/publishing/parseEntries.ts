import type { z } from 'zod'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { nearestIs } from '../../contract/nearestName.ts'
import type { EntryError, EntryWarning } from '../../contract/product.ts'
import { type UnknownMember, unknownMembers } from '../../contract/unknownMembers.ts'
import { type Parsed, quoted } from '../../domain/publish/staged.ts'
import { beginTurn } from '../loopTurns.ts'

/** The most values that one entry may hold, at all levels together: each may be a separate fault. */
const MAX_VALUES = 20_000
/** The most faults listed per entry. */
const MAX_FAULTS = 20
/** The most unknown members listed per publish: in most publishes the same few occur in every entry. */
const MAX_WARNINGS = 1_000

/** The entries of a publish as their schema reads them; `errors` and `warnings` come from the schema alone. */
export interface ParsedEntries<T> {
  readonly parsed: Parsed<T>[]
  readonly errors: EntryError[]
  readonly warnings: EntryWarning[]
}

/**
 * Checks each entry of a publish separately. Returns those of the right shape, INVALID_ENTRY for each fault of the others, and
 * UNKNOWN_MEMBER for ignored members (contract, One write model; choices, Unknown members). `list` is the body's member with the entries.
 */
export async function parseEntries<T>(schema: z.ZodType<T>, list: string, sent: readonly unknown[]): Promise<ParsedEntries<T>> {
  const parsed: Parsed<T>[] = []
  const errors: EntryError[] = []
  const warnings: EntryWarning[] = []
  const turn = beginTurn()
  for (const [index, entry] of sent.entries()) {
    if (turn.isOver()) await turn.pass()
    const result = parseEntry(schema, index, entry)
    if (result.errors !== undefined) errors.push(...result.errors)
    else parsed.push({ index, value: result.value })
    // Of a refused entry too: a mistyped name is often why a required member is missing.
    if (warnings.length < MAX_WARNINGS) warnings.push(...unknownWarnings(schema, list, index, entry))
  }
  return { parsed, errors, warnings }
}

/** Returns an entry as its schema reads it, or INVALID_ENTRY for each of its faults. */
export function parseEntry<T>(
  schema: z.ZodType<T>,
  index: number,
  entry: unknown,
): { value: T; errors?: undefined } | { errors: EntryError[] } {
  if (holdsMoreThan(MAX_VALUES, entry)) return { errors: [tooLarge(index)] }
  const result = schema.safeParse(entry)
  return result.success ? { value: result.data } : { errors: entryErrors(schema, index, entry, result.error.issues) }
}

/** Returns UNKNOWN_MEMBER for each member of an entry that its schema does not know. */
export function unknownWarnings(schema: z.ZodType, list: string, index: number, entry: unknown): EntryWarning[] {
  return unknownMembers([schema], entry).map((unknown) => unknownWarning(list, index, unknown))
}

function unknownWarning(list: string, index: number, { code, pointer, nearest }: UnknownMember): EntryWarning {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  return {
    index,
    code,
    pointer: `/${list}/${index}${pointer}`,
    ...(nearest === undefined ? {} : { nearest }),
    message: `${name} is not a known member and was ignored${nearestIs(nearest)}.`,
  }
}

function entryErrors(schema: z.ZodType, index: number, entry: unknown, issues: readonly z.core.$ZodIssue[]): EntryError[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return [{ index, error_code: 'INVALID_ENTRY', ...quoted(entry), message: 'An entry must be an object.' }]
  }
  return faultsOf(schema, issues.slice(0, MAX_FAULTS), entry).map(({ field = '', message }) => ({
    index,
    error_code: 'INVALID_ENTRY',
    field,
    ...quoted(valueAt(entry, field)),
    message,
  }))
}

function tooLarge(index: number): EntryError {
  return { index, error_code: 'INVALID_ENTRY', message: `An entry holds at most ${MAX_VALUES} values.` }
}

function holdsMoreThan(max: number, entry: unknown): boolean {
  let values = 0
  for (const open: unknown[] = [entry]; open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    values += inner.length
    if (values > max) return true
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
