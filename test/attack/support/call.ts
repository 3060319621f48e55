/** A request of a tenant. */
export interface Call {
  readonly path: string
  readonly token: string
  /** Default GET. */
  readonly method?: string
  readonly body?: string
  /** The type of the body; default application/json. */
  readonly type?: string
  /** The status that the answer must have; default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and reads its answer to the end. Throws unless it has the status. */
export async function call(baseUrl: string, { path, token, method = 'GET', status = 200, ...more }: Call): Promise<void> {
  const { body, type = 'application/json', headers } = more
  const sent = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }), ...headers }
  const reply = await fetch(`${baseUrl}${path}`, { method, headers: sent, ...(body !== undefined && { body }) })
  await reply.arrayBuffer()
  if (reply.status !== status) throw new Error(`${method} ${path} answered ${reply.status}`)
}
