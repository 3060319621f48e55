import { createHash } from 'node:crypto'

/**
 * Names an exact repeat of a command: same caller, same canonical body (choices, States). The schema has put the members in its own order and
 * dropped what it does not know: equal asks are equal texts.
 */
export function repeatKey(verb: string, entity: string, body: unknown): string {
  return `${verb}:${createHash('sha256')
    .update(JSON.stringify([entity, body]))
    .digest('base64url')}`
}
