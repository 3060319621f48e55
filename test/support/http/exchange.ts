export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Exchanged {
  status: number
  headers: Headers
  text: string
}

/** Sends one request of a tenant as it is, and returns its reply of any status. The base URL ends in the version segment. */
export async function exchange(
  { baseUrl, token, timeoutMs = 30_000 }: { baseUrl: string; token: string; timeoutMs?: number },
  { method, path, body }: { method: Method; path: string; body?: string | undefined },
): Promise<Exchanged> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
