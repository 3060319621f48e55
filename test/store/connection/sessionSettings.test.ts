import { describe, expect, it } from '@jest/globals'
import { useDatabase } from '../../support/useDatabase.ts'

const SETTINGS = ['application_name', 'statement_timeout', 'idle_in_transaction_session_timeout', 'role', 'jit']

describe('a connection of a process', () => {
  const db = useDatabase({ process: 'worker' })

  it('is named after it in pg_stat_activity, works as the role of the service, and has limits of time', async () => {
    const { rows } = await db.pool.query('select name, current_setting(name) as value from unnest($1::text[]) name', [SETTINGS])
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      application_name: 'order-marketplace-worker',
      statement_timeout: '5s',
      idle_in_transaction_session_timeout: '10s',
      role: 'marketplace_platform',
      jit: 'off',
    })
    const named = await db.pool.query(`select 1 from pg_stat_activity where pid = pg_backend_pid() and application_name = $1`, [
      'order-marketplace-worker',
    ])
    expect(named.rowCount).toBe(1)
  })
})
