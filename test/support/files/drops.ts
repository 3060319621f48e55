import type { DropCounts, DropError } from '../../../src/contract/drop.ts'
import type { Database } from '../../../src/store/connection/database.ts'
import type { DropKey } from '../../../src/store/drops/drops.ts'
import { endDrop } from '../../../src/store/drops/endDrop.ts'
import type { TestApp } from '../http/app.ts'
import { checkReply } from '../http/contract.ts'
import type { Tenant, TenantReply } from '../market.ts'
import { sha256Of } from './uploads.ts'

/** File drops as sellers send them. */

export type Files = Readonly<Record<string, string>>

/** Puts a file into a drop and checks the reply against the contract. */
export async function putFile({ request }: TestApp, { token }: Tenant, dropId: string, filename: string, bytes: string | Uint8Array) {
  const path = `/me/files/${dropId}/${filename}`
  const reply = await request.put(`/v1${path}`).auth(token, { type: 'bearer' }).type('application/octet-stream').send(Buffer.from(bytes))
  checkReply('put', path, reply)
  return reply
}

/** Puts files into a drop. */
export async function land(app: TestApp, tenant: Tenant, dropId: string, files: Files): Promise<void> {
  for (const [filename, text] of Object.entries(files)) {
    const { status, text: answer } = await putFile(app, tenant, dropId, encodeURIComponent(filename), text)
    if (status !== 201) throw new Error(`expected 201, got ${status} ${answer}`)
  }
}

/** Returns a manifest for files, all of them avails. */
export function manifestOf(drop_id: string, files: Files, more: Record<string, unknown> = {}) {
  const listed = Object.entries(files).map(([filename, text]) => ({ filename, type: 'avails', sha256: sha256Of(Buffer.from(text)) }))
  return { schema_version: '1.0', drop_id, files: listed, ...more }
}

export function register(tenant: Tenant, dropId: string, files: Files, more: Record<string, unknown> = {}): Promise<TenantReply> {
  return tenant.post('/me/files/manifest', manifestOf(dropId, files, more))
}

/** Lands and registers a drop, and returns its drop_id. */
export async function registered(app: TestApp, tenant: Tenant, dropId: string, files: Files): Promise<string> {
  await land(app, tenant, dropId, files)
  const { status, text } = await register(tenant, dropId, files)
  if (status !== 202) throw new Error(`expected 202, got ${status} ${text}`)
  return dropId
}

/** Ends a run as its workflow would, with these rows and errors. */
export async function endWith(
  db: Database,
  key: DropKey,
  counts: DropCounts,
  errors: readonly DropError[] = [],
  options = {},
): Promise<void> {
  const { seller, drop_id, run_no } = key
  const sum = (member: 'rows_written' | 'rows_rejected') => Object.values(counts).reduce((all, rows) => all + rows[member], 0)
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `update drops set counts = $4, rows_written = $5, rows_rejected = $6, error_count = $7 where seller = $1 and drop_id = $2 and run_no = $3`,
      [seller, drop_id, run_no, JSON.stringify(counts), sum('rows_written'), sum('rows_rejected'), errors.length],
    )
    for (const [n, { file, row, error_code, field = null, value, message }] of errors.entries())
      await client.query('insert into drop_errors values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
        ...[seller, drop_id, run_no, n + 1],
        ...[file, row, error_code, field, JSON.stringify(value), message],
      ])
    await endDrop(client, key, options)
    await client.query('commit')
  } finally {
    client.release()
  }
}
