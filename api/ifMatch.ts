import type { IncomingHttpHeaders } from 'node:http'
import { invalid, refuseIfAny } from '../src/domain/refusal.ts'
import { documentVersion, type Expected } from '../src/store/tenants/documentVersion.ts'

/**
 * Whether a version is one that `If-Match` names by its ETag (weak, listed or `*` too, and without quotes). Undefined without the header, when nothing
 * is to be checked (choices, If-Match).
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

/** What a PUT expects of what it replaces: `If-Match`, and `If-None-Match: *` where it must create. INVALID_INPUT where the latter names a version. */
export function expectedOf(headers: IncomingHttpHeaders): Expected {
  const { 'if-none-match': none } = headers
  if (none !== undefined && none.trim() !== '*') refuseIfAny([invalid('If-None-Match', 'If-None-Match must be *.')])
  return { isSeen: ifMatch(headers), isNew: none !== undefined }
}

/** The ETag of a document that is replaced whole. */
export function etagOf(document: object): { ETag: string } {
  return { ETag: `"${documentVersion(document)}"` }
}
