import type { IncomingHttpHeaders } from 'node:http'
import { invalid, refuseIfAny } from '../../src/domain/refusal.ts'
import { documentVersion, type Expected } from '../../src/store/tenants/documentVersion.ts'

/**
 * Returns whether a version is one that `If-Match` names by its ETag (also weak, listed, unquoted or `*`). Undefined without the header,
 * when nothing is checked (choices, If-Match).
 */
export function ifMatch({ 'if-match': sent }: IncomingHttpHeaders): ((version: string) => boolean) | undefined {
  if (sent === undefined) return undefined
  const tags = sent.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  )
  return (version) => tags.includes('*') || tags.includes(version)
}

/** Reads what a PUT expects to replace: `If-Match`, or `If-None-Match: *` to create. INVALID_INPUT if the latter names a version. */
export function expectedOf(headers: IncomingHttpHeaders): Expected {
  const { 'if-none-match': none } = headers
  if (none !== undefined && none.trim() !== '*') refuseIfAny([invalid('If-None-Match', 'If-None-Match must be *.')])
  return { isSeen: ifMatch(headers), isNew: none !== undefined }
}

/** Returns the ETag of a document that is always replaced as a whole. */
export function etagOf(document: object): { ETag: string } {
  return { ETag: `"${documentVersion(document)}"` }
}
