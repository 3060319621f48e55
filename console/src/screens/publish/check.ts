import { Fault } from '../../api/fault.ts'
import { type PublishReply, publish } from '../../api/queries/publishing.ts'
import type { EditRow, RowFaults } from '../../ui/EditGrid.tsx'
import { columnOfField } from './cells.ts'
import { isFilled, type PublishDraft } from './draft.ts'
import type { Kind } from './kinds.ts'

/** The API's verdict on a draft before it is published. */
export interface Check {
  /** The draft's `edit` that was checked. */
  readonly edit: number
  /** Faults by row. An edited row is a new object, so it has none until the next check. */
  readonly faults: ReadonlyMap<EditRow, RowFaults>
  /** The rows without a fault. */
  readonly good: readonly EditRow[]
  /** Undefined if no row is good enough to try. */
  readonly reply: PublishReply | undefined
}

type FaultsByRow = Map<EditRow, Map<string, string>>

/** Checks a draft without writing. Rows whose faults refuse the whole body are found first, and the rest is checked without them. */
export async function checkDraft(kind: Kind, { head, rows, edit }: PublishDraft, signal: AbortSignal): Promise<Check> {
  const faults: FaultsByRow = new Map()
  const numberOf = new Map(rows.map((row, index) => [row, index + 1]))
  for (let left = rows.filter(isFilled); left.length > 0; left = left.filter((row) => !faults.has(row))) {
    const note = (index: number, field: string, message: string) => {
      const row = left[index]
      if (row === undefined) return
      const ofRow = faults.get(row) ?? new Map<string, string>()
      faults.set(row, ofRow.set(columnOfField(kind.columns, field), byRow(message, left, numberOf)))
    }
    try {
      const reply = await publish(kind.id, kind.bodyOf(head, left), { dryRun: true, signal })
      for (const { index, field = '', message } of reply.errors) note(index, field, message)
      return { edit, faults, good: left.filter((row) => !faults.has(row)), reply }
    } catch (error) {
      const refused = entryFaults(error, kind.list)
      if (refused.length === 0) throw error
      for (const { index, field, message } of refused) note(index, field, message)
    }
  }
  return { edit, faults, good: [], reply: undefined }
}

/** Returns the faults of single entries for which the API refuses the whole body. */
function entryFaults(error: unknown, list: Kind['list']) {
  if (!(error instanceof Fault)) return []
  return (error.details.errors ?? []).flatMap(({ pointer = '', message }) => {
    const [, within, index, ...field] = pointer.split('/')
    return within === list && index !== undefined ? [{ index: Number(index), field: field.join('.'), message }] : []
  })
}

/** Replaces entry indexes in a message by row numbers: the API counts the sent entries from 0, but a seller sees rows. */
function byRow(message: string, sent: readonly EditRow[], numberOf: ReadonlyMap<EditRow, number>): string {
  return message.replace(/\b(e)ntry (\d+)/i, (text, initial: string, index: string) => {
    const row = sent[Number(index)]
    return row === undefined ? text : `${initial === 'E' ? 'R' : 'r'}ow ${numberOf.get(row)}`
  })
}

/** Returns the faults of the head's members by their dotted names. */
export function headFaults(error: unknown, kind: Kind): ReadonlyMap<string, string> {
  if (!(error instanceof Fault)) return new Map()
  const { field, errors = [] } = error.details
  const found = errors.map(({ pointer = '', message }) => ({ id: pointer.slice(1).replaceAll('/', '.'), message }))
  const all = found.length > 0 ? found : [{ id: field ?? '', message: error.message }]
  return new Map(all.flatMap(({ id, message }) => (kind.head.some((one) => one.id === id) ? [[id, message] as const] : [])))
}
