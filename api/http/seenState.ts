import type { Command } from '../../src/store/orders/command.ts'
import type { Call } from './call.ts'
import { ifMatch } from './ifMatch.ts'

/**
 * Reads the state of the order that the sender of a command saw: `If-Match` with the ETag of a read, `last_seq` in the body, or both
 * (choices, If-Match). A command without either is not checked.
 */
export function seenState({ headers }: Pick<Call, 'headers'>, { last_seq }: { last_seq?: number | undefined }): Pick<Command, 'isSeen'> {
  const isTagged = ifMatch(headers)
  if (isTagged === undefined && last_seq === undefined) return {}
  return { isSeen: (seq) => isTagged?.(String(seq)) !== false && (last_seq === undefined || last_seq === seq) }
}
