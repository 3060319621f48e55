import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { Refusal } from '../../domain/refusal.ts'

/** Tells whether the sender of a replacement has seen this version; undefined if the sender does not say what it has seen. */
export type IsSeen = ((version: string) => boolean) | undefined

/** The stored state that the sender of a replacement expects; if empty, nothing is checked. */
export interface Expected {
  readonly isSeen?: IsSeen
  /** Whether nothing may be stored yet. */
  readonly isNew?: boolean
}

/** Returns the version of a document that is replaced as a whole, for its ETag: equal documents have equal versions. */
export function documentVersion(document: object): string {
  return createHash('sha256').update(canonicalJson(document)).digest('base64url').slice(0, 22)
}

/**
 * Fails with CONFLICT if the document has changed since the sender of its replacement saw it. A repeat, which replaces the document with an
 * equal one, passes: the reply to the first request may have been lost.
 */
export function refuseUnseen(isSeen: IsSeen, what: string, current: object | undefined, sent: object): void {
  if (isSeen === undefined) return
  const version = current && documentVersion(current)
  if (version !== undefined && (isSeen(version) || version === documentVersion(sent))) return
  const message = version === undefined ? `There is no ${what} to match yet.` : `The ${what} changed after you read it: read it again.`
  throw new Refusal('CONFLICT', message, { field: 'If-Match' })
}

/** Fails with CONFLICT if the sender expects another version than the stored one, or expects nothing to be stored. A repeat passes. */
export function refuseUnexpected({ isSeen, isNew }: Expected, what: string, current: object | undefined, sent: object): void {
  if (isNew) refuseTaken(what, current, sent)
  refuseUnseen(isSeen, what, current, sent)
}

function refuseTaken(what: string, current: object | undefined, sent: object): void {
  if (current === undefined || documentVersion(current) === documentVersion(sent)) return
  throw new Refusal('CONFLICT', `The ${what} exists already, with other content.`, { field: 'If-None-Match' })
}
