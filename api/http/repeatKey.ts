import { createHash } from 'node:crypto'

/**
 * Names an exact repeat of a command: same caller, same canonical body (choices, States). The schema has put the members in its own order
 * and dropped unknown ones, so equal requests are equal texts. The order's state that the sender saw makes no difference.
 */
export function repeatKey(verb: string, entity: string, { last_seq: _seen, ...said }: { last_seq?: number | undefined }): string {
  return `${verb}:${createHash('sha256')
    .update(JSON.stringify([entity, said]))
    .digest('base64url')}`
}
