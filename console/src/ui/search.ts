/** The search of an address with only what is set. */
export function withoutEmpty<Search extends object>(search: Search): { [Key in keyof Search]: Exclude<Search[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof Search]: Exclude<Search[Key], undefined>
  }
}
