import { withoutTrailingSlashes } from '../domain/targets/withoutTrailingSlashes.ts'

/** The base URL of the API with its version segment, which may have been left out. */
export function apiUrl(baseUrl: string): string {
  const base = withoutTrailingSlashes(baseUrl)
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}
