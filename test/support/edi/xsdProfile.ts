import { readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'

const PROFILE = new URL('../../operations/edi/scx-profile.xsd', import.meta.url)
let validator: XsdValidator | undefined

/** Returns libxml2's complaint about a document under the profile's schema; undefined if it is valid. */
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
