import { type JsonEntry, readJsonBodies, readJsonEntries } from '../../../adapters/tables/rowReader/json.ts'
import { Unreadable } from '../../../adapters/tables/unreadable.ts'
import type { DropFileShape } from '../../../contract/dropColumns.ts'
import { faultsOf } from '../../../contract/errorEnvelope.ts'
import { nearestIs } from '../../../contract/nearestName.ts'
import { unknownMembers } from '../../../contract/unknownMembers.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { strictJson } from '../../../domain/strictJson.ts'
import { HeaderFault } from './headerFault.ts'
import type { RowError } from './messages.ts'
import type { SentEntries, SentEntry, Warn } from './sentEntry.ts'
import { withoutNulls } from './withoutNulls.ts'
import { wrapperFault } from './wrapperFault.ts'

type Head = SentEntry['head']

/** Reads the entries of a json file: bodies in a PUT's form or one entry per line. Errors: HeaderFault for a body's members; Unreadable. */
export async function* readJson(path: string, shape: DropFileShape, warn: Warn): SentEntries {
  const heads = (await readJsonBodies(path, shape.list)).map((body) => headOf(body, shape, warn))
  for await (const entries of readJsonEntries(path, shape.list)) {
    const sent: SentEntry[] = []
    for (const entry of entries) {
      const one = entryOf(entry, heads, shape)
      if (one === undefined) {
        yield sent
        throw new Unreadable(`entry ${entry.row} is not valid JSON`, entry.row)
      }
      sent.push(one)
    }
    yield sent
  }
}

/** Parses an entry; undefined for bytes that are not JSON. */
function entryOf({ row, bytes, body }: JsonEntry, heads: readonly Head[], shape: DropFileShape): SentEntry | undefined {
  const head = (body === undefined ? undefined : heads[body]) ?? {}
  try {
    const sent = strictJson(bytes)
    const wrapper = body === undefined ? wrapperFault(row, sent, shape) : undefined
    if (wrapper !== undefined) return { row, entry: undefined, head, error: wrapper }
    return { row, entry: bytes.includes('null') ? withoutNulls(sent, shape.entry) : sent, head, isAsSent: true }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (!isJson(bytes)) return undefined
    return {
      row,
      entry: undefined,
      head,
      error: { row, error_code: 'INVALID_ENTRY', message: error.message.replace('The body', 'The entry') },
    }
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

function headOf(bytes: Buffer, { body, head: columns, list }: DropFileShape, warn: Warn): Head {
  const { [list]: _, ...head } = withoutNulls(bodyOf(bytes), columns) as Record<string, unknown>
  const faults = faultsOf(body, body.safeParse(head).error?.issues ?? [], head)
  if (faults.length > 0) throw new HeaderFault(faults.map(({ field, message }) => refused(message, field)))
  for (const { pointer, nearest } of unknownMembers([body], head))
    warn({ row: 1, code: 'UNKNOWN_MEMBER', message: `${pointer.slice(1)} is not a known member and was ignored${nearestIs(nearest)}.` })
  return head
}

function bodyOf(bytes: Buffer): Record<string, unknown> {
  try {
    return strictJson(bytes) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new HeaderFault([refused(error.message)])
  }
}

function refused(message: string, field?: string): RowError {
  return {
    row: 1,
    error_code: 'INVALID_HEADER',
    ...(field === undefined ? {} : { field }),
    message: message.endsWith('.') ? message : `${message}.`,
  }
}
