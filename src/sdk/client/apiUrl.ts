/** Returns the base URL of the API with its version segment, which the caller may omit. */
export function apiUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  if (!/^v\d+$/.test(segments.at(-1) ?? '')) segments.push('v1')
  return [origin, ...segments].join('/')
}
