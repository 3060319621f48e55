import type { Command } from '../src/store/orders/orderLog.ts'
import type { Call } from './handler.ts'

/**
 * What a command says of the state in which its sender saw the order: `If-Match` with the ETag of a read (weak, listed or `*` too), `last_seq` in the
 * body, or both (choices, If-Match). A command without either is not checked.
 */
export function seenState({ headers }: Pick<Call, 'headers'>, { last_seq }: { last_seq?: number | undefined }): Pick<Command, 'isSeen'> {
  const tags = headers['if-match']?.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  if (tags === undefined && last_seq === undefined) return {}
  const isTagged = (seq: number) => tags === undefined || tags.includes('*') || tags.includes(String(seq))
  return { isSeen: (seq) => isTagged(seq) && (last_seq === undefined || last_seq === seq) }
}
