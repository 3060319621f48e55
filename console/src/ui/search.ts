/** Returns the search parameters that have a value. */
export function withoutEmpty<Search extends object>(search: Search): { [Key in keyof Search]: Exclude<Search[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Search]: Exclude<Search[Key], undefined>
  }
}

/**
 * Returns a search parameter as the text that was typed: the router has already parsed values such as `42`, `true` or `[1]`. A missing
 * parameter is set to undefined, since the router keeps parameters that a route omits.
 */
export function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  const isMissing = value === undefined || value === null || value === ''
  const read = typeof value === 'string' ? value : JSON.stringify(value)
  return { [name]: isMissing ? undefined : read } as { [Key in Name]?: string }
}

/** Keeps a search parameter only if it is valid. Any other is set to undefined, since the router keeps parameters that a route omits. */
export function only<Name extends string, Value>(
  name: Name,
  value: unknown,
  isAsked: (value: unknown) => value is Value,
): { [Key in Name]?: Value } {
  return { [name]: isAsked(value) ? value : undefined } as { [Key in Name]?: Value }
}

/** Keeps a search parameter only if it is one of the known values. */
export function oneOf<Name extends string, const Value extends string>(
  name: Name,
  value: unknown,
  known: readonly Value[],
): { [Key in Name]?: Value } {
  return only(name, value, (one): one is Value => known.some((it) => it === one))
}

/** Keeps a search parameter only if it is a whole number. */
export function whole<Name extends string>(name: Name, value: unknown): { [Key in Name]?: number } {
  return only(name, value, (one): one is number => Number.isInteger(one))
}
