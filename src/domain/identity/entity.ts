/** Returns true if a text is a valid handle of a tenant. */
export function isEntity(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
}

export const ENTITY_FORM = '1 to 100 letters, digits, dots, dashes and underscores'
