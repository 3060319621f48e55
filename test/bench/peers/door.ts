import { Pool } from 'undici'

/** HTTP with JSON over connections that stay open, the same for every peer. */
export interface Door {
  send<Answer>(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer>
  close(): Promise<void>
}

/** Fails on an answer that is not 2xx. */
export function openDoor(baseUrl: string, token: string, connections: number): Door {
  const pool = new Pool(baseUrl, { connections, pipelining: 1, headersTimeout: 60_000 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async send<Answer>(method: 'GET' | 'POST', path: string, body?: string) {
      const { statusCode, body: reply } = await pool.request({ method, path, headers, body: body ?? null })
      const text = await reply.text()
      if (statusCode > 299) throw new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 500)}`)
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    close: () => pool.destroy(),
  }
}
