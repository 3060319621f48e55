/** The search of an address with only what is set. */
export function withoutEmpty<Search extends object>(search: Search): { [Key in keyof Search]: Exclude<Search[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Search]: Exclude<Search[Key], undefined>
  }
}

/**
 * A text in an address, as it was typed: what it looks like (`42`, `true`, `[1]`) has been read as something else before. Without a text it is named as
 * undefined, since the router keeps what a route does not name.
 */
export function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  const isMissing = value === undefined || value === null || value === ''
  const read = typeof value === 'string' ? value : JSON.stringify(value)
  return { [name]: isMissing ? undefined : read } as { [Key in Name]?: string }
}

/** A member of an address, if it is what is asked for. Another is overridden: the router keeps what a route does not name. */
export function only<Name extends string, Value>(
  name: Name,
  value: unknown,
  isAsked: (value: unknown) => value is Value,
): { [Key in Name]?: Value } {
  return { [name]: isAsked(value) ? value : undefined } as { [Key in Name]?: Value }
}

/** The same of a member that is one of those that are known. */
export function oneOf<Name extends string, const Value extends string>(
  name: Name,
  value: unknown,
  known: readonly Value[],
): { [Key in Name]?: Value } {
  return only(name, value, (one): one is Value => known.some((it) => it === one))
}

/** The same of a whole number. */
export function whole<Name extends string>(name: Name, value: unknown): { [Key in Name]?: number } {
  return only(name, value, (one): one is number => Number.isInteger(one))
}
