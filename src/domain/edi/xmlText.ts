/** The most code points of a name, a comment or a program. */
export const LONGEST_TEXT = 255

/** The characters that XML 1.0 cannot represent, not even by references. They include lone surrogates. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns a text with U+FFFD in place of each character that XML 1.0 forbids. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD')
}

export function isXmlText(text: string): boolean {
  return text.search(FORBIDDEN) === -1
}

/** Returns a text that XML can represent, truncated to `longest` code points including an ellipsis. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return xmlText(text)
  // A code point has at most two code units, so the rest of a long text is not needed.
  const points = [...text.slice(0, 2 * longest + 2)]
  return xmlText(points.length <= longest ? text : `${points.slice(0, longest - 1).join('')}…`)
}

export function codePoints(text: string): number {
  return [...text].length
}
