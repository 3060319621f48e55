import { type components, itemsOf } from '../../client/src/index.ts'
import { type TableColumn, writeJson, writeTable } from './output.ts'
import type { Session } from './session.ts'

type Refused = components['schemas']['RefusedRequest']

export async function requests(session: Session, { since, status, requestId, limit }: RequestsOptions): Promise<void> {
  const { operations } = await session.client()
  const query = {
    ...(since !== undefined && { since }),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { request_id: requestId }),
    limit: Math.min(limit, 200),
  }
  const rows: Refused[] = []
  const pages = itemsOf(async (cursor) => (await operations.listRefusedRequests({ query: { ...query, ...cursor } })).body)
  for await (const refused of pages) if (rows.push(refused) >= limit) break
  return session.json ? writeJson(rows) : writeTable(REQUESTS, rows)
}

const REQUESTS: readonly TableColumn<Refused>[] = [
  { head: 'at', of: ({ at }) => at },
  { head: 'status', of: ({ status }) => status, right: true },
  { head: 'code', of: ({ error_code }) => error_code },
  { head: 'call', of: ({ method, path }) => `${method} ${path}` },
  { head: 'about', of: ({ pointers }) => pointers.join(' ') },
  { head: 'request', of: ({ request_id }) => request_id },
]

export interface RequestsOptions {
  readonly since?: string
  readonly status?: number
  readonly requestId?: string
  readonly limit: number
}
