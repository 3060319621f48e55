import { createHash } from 'node:crypto'

/**
 * Names an exact repeat of a command: same caller, same canonical body (choices, States). The schema has put the members in its own order and
 * dropped what it does not know: equal asks are equal texts. In which state their sender saw the order makes no difference.
 */
export function repeatKey(verb: string, entity: string, { last_seq: _seen, ...said }: { last_seq?: number | undefined }): string {
  return `${verb}:${createHash('sha256')
    .update(JSON.stringify([entity, said]))
    .digest('base64url')}`
}
