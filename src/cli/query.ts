import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../config/index.ts'
import { StartupError } from '../local/embedded/startupError.ts'
import { endWith } from './endWith.ts'
import { onDatabase } from './onDatabase.ts'

/** `npx order-marketplace operator query "<sql>"`: runs one statement, read-only unless `--write` is given. Prints names and rows, separated by tabs. */
async function main(): Promise<void> {
  const { sql, write } = readArguments()
  await onDatabase(readConfig(), async (databaseUrl) => {
    const options = write ? '' : '-c default_transaction_read_only=on'
    const client = new pg.Client({ connectionString: databaseUrl, options, types: AS_TEXT })
    await client.connect()
    try {
      if (await isLimited(client))
        process.stderr.write(
          'Row security limits what this user sees, often to nothing: use the DATABASE_URL of the owner of the tables.\n',
        )
      const { fields, rows, rowCount } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
      if (fields.length === 0) process.stdout.write(`${rowCount ?? 0} rows\n`)
      else
        for (const row of [fields.map(({ name }) => name), ...rows]) process.stdout.write(`${row.map((value) => value ?? '').join('\t')}\n`)
    } catch (error) {
      throw error instanceof pg.DatabaseError ? new StartupError(`PostgreSQL refuses the statement: ${error.message}.`) : error
    } finally {
      await client.end()
    }
  })
}

/** Whether policies hide rows of tenants from the user, as from that of an API: an empty result then says nothing. */
async function isLimited(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ limited: string }>(
    `select coalesce(row_security_active(to_regclass('public.orders')::oid), false) as limited where to_regclass('public.orders') is not null`,
  )
  return rows[0]?.limited === 't'
}

/** Returns values in PostgreSQL's own text form. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value } as pg.CustomTypesConfig

function readArguments(): { sql: string; write: boolean } {
  try {
    const { values, positionals } = parseArgs({ options: { write: { type: 'boolean', default: false } }, allowPositionals: true })
    const [sql, ...more] = positionals
    if (sql !== undefined && more.length === 0) return { sql, write: values.write }
  } catch {
    // the usage error below covers this
  }
  throw new StartupError('Usage: order-marketplace operator query [--write] "<one SQL statement>".')
}

main().catch(endWith)
