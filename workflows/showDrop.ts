import { setCurrentDetails } from '@temporalio/workflow'
import type { DropHead } from '../src/domain/drops/dropHead.ts'
import { DROP_ATTRIBUTES } from './searchAttributes.ts'
import { moment, upsertChanged } from './showOperators.ts'

/** Shows a drop's stage, its progress and the drop it waits for in the Temporal UI. Names no file, since details are not encrypted. */
export function showDrop(drop: DropHead | null): void {
  upsertChanged([
    ...(drop === null ? [] : [{ key: DROP_ATTRIBUTES.DropSeller, value: drop.seller }]),
    { key: DROP_ATTRIBUTES.DropStage, value: drop?.stage ?? 'ended' },
    // None of its stages is being tried now.
    ...(drop === null || drop.waits_for !== null ? [{ key: DROP_ATTRIBUTES.DropStuckReason, value: null }] : []),
  ])
  setCurrentDetails(drop === null ? 'Nothing to ingest.' : detailsOf(drop))
}

/** Shows why a stage fails, or null when it does not. */
export function showDropStuck(drop: DropHead, reason: string | null): void {
  upsertChanged([{ key: DROP_ATTRIBUTES.DropStuckReason, value: reason }])
  if (reason !== null)
    setCurrentDetails(
      `**Stuck** in \`${drop.stage}\`: \`${reason}\`, last tried ${moment(new Date())}. It is tried again automatically; the worker's log says more.\n\n${progressOf(drop)}`,
    )
}

/** Shows why the drop is unreadable. */
export function showUnreadable(reason: string): void {
  upsertChanged([{ key: DROP_ATTRIBUTES.DropStuckReason, value: reason }])
  setCurrentDetails(
    `**Stuck**: \`${reason}\`, last tried ${moment(new Date())}. It is tried again automatically; the worker's log says more.`,
  )
}

function detailsOf(drop: DropHead): string {
  const { stage, waits_for, stuck_reason } = drop
  const doing = waits_for === null ? DOES[stage] : `waits for the seller's drop \`${waits_for}\``
  const lines = [`**${stage}**: ${doing}.`, progressOf(drop)]
  if (stuck_reason !== null) lines.push(`**Stuck**: \`${stuck_reason}\`.`)
  return lines.join('\n\n')
}

function progressOf({ run_no, registered_at, cursor_file, cursor_row, rows_written, rows_rejected }: DropHead): string {
  const at = cursor_row > 0 ? `; file ${cursor_file + 1} up to row ${cursor_row}` : ''
  return `Run ${run_no}, registered ${moment(registered_at)}: ${rows_written} rows written, ${rows_rejected} rejected${at}.`
}

const DOES: Record<DropHead['stage'], string> = {
  fetch: 'copies the files to the spool',
  publish: 'publishes catalog and rate cards',
  avails: 'merges avails',
  posts: 'stores delivery posts',
  finish: 'writes the result',
  ended: 'closed',
}
