/** The search of an address with only what is set. */
export function withoutEmpty<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== '')) as Search
}
