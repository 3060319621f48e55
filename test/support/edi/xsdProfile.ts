import { readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'

const PROFILE = new URL('../../edi/scx-profile.xsd', import.meta.url)
let validator: XsdValidator | undefined

/** What libxml2 says of a document by the profile's schema; undefined when it is valid. */
export function schemaFault(document: Uint8Array): string | undefined {
  validator ??= XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(PROFILE)))
  let read: XmlDocument | undefined
  try {
    read = XmlDocument.fromBuffer(document)
    validator.validate(read)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    read?.dispose()
  }
}
