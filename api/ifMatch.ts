import type { IncomingHttpHeaders } from 'node:http'
import { documentVersion } from '../src/store/tenants/documentVersion.ts'

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

/** The ETag of a document that is replaced whole. */
export function etagOf(document: object): { ETag: string } {
  return { ETag: `"${documentVersion(document)}"` }
}
