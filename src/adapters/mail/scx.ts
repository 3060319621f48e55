import { XMLBuilder } from 'fast-xml-parser'
import type { ScxTree } from '../../domain/edi/scxTree.ts'

/** Renders an order document as UTF-8. The same tree always gives the same bytes. */
export function renderScx(tree: ScxTree): Buffer {
  return Buffer.from(BUILDER.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...tree }), 'utf8')
}

/**
 * The builder's own escapes leave a raw CR, which a reader turns into LF, and it drops the value of an attribute whose value is `true`. So
 * its escapes are off, and this module escapes the text.
 */
const BUILDER = new XMLBuilder({
  attributeNamePrefix: '@',
  textNodeName: '#text',
  ignoreAttributes: false,
  processEntities: false,
  suppressBooleanAttributes: false,
  format: true,
  // The library's types lack this option. No rule here depends on where an element is, so the builder need not write the path of each.
  ...{ jPath: false },
  tagValueProcessor: (_name, value) => escaped(String(value)),
  attributeValueProcessor: (_name, value) => escaped(String(value)),
})

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character)
}
