/** The base URL of the API with its version segment, which may have been left out. */
export function apiUrl(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '')
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}
