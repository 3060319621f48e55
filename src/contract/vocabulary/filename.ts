/** The most bytes of a file's name in UTF-8. */
const MAX_BYTES = 128

/** What is wrong with a name that `isFilename` refuses. */
export const FILENAME_FORM =
  'must have 1 to 128 bytes of printable characters without / and \\, must not begin or end with a space, and must not begin with a dot'

/**
 * Returns whether a file of a drop may have this name: as programs and people name files, with spaces, brackets and umlauts, but nothing that
 * leads elsewhere or cannot be seen. U+FFFD stands for bytes that were no UTF-8, so the name would be another one.
 */
export function isFilename(text: string): boolean {
  if (text === '' || text.startsWith('.') || text.trim() !== text) return false
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}/\\\uFFFD]/u.test(text) && new TextEncoder().encode(text).length <= MAX_BYTES
}
