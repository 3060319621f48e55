import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { processTree } from '../e2e/processes.ts'
import type { Counters } from './pairs.ts'

export interface Watched {
  /** To the database in question, as its owner. */
  pool: pg.Pool
  /** Processes by the name under which their CPU is shown; those below them count too. */
  cpu: Readonly<Record<string, number>>
}

/** Runs `work` and says what each of its `operations` cost: CPU by process, statements, WAL. */
export async function counted(watched: Watched, operations: number, work: () => Promise<void>): Promise<Counters> {
  const before = await read(watched)
  await work()
  const after = await read(watched)
  const each = Object.keys(after).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / operations] as const)
  return Object.fromEntries(each)
}

async function read({ pool, cpu }: Watched): Promise<Counters> {
  const { rows } = await pool.query<{ statements: number; wal_bytes: number }>(COUNTS)
  const [counts] = rows
  const times = await Promise.all(Object.entries(cpu).map(async ([name, pid]) => [`cpu_us_${name}`, await cpuMicroseconds(pid)] as const))
  return { statements: counts?.statements ?? 0, wal_bytes: counts?.wal_bytes ?? 0, ...Object.fromEntries(times) }
}

/** Without what sets whom a transaction acts for: it is sent with a statement, in the same round trip. */
const COUNTS = `select
  (select coalesce(sum(calls), 0)::float8 from pg_stat_statements join pg_database d on d.oid = dbid
    where datname = current_database() and query not like '%pg_stat_statements%'
      and query !~ '^\\s*select where \\(set_config') as statements,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal_bytes`

/** Linux counts in ticks of ten milliseconds; elsewhere there is nothing to read, and the counter stays zero. */
const TICK_US = 10_000

/** Of a process and all below it, since they started. */
export async function cpuMicroseconds(root: number): Promise<number> {
  let ticks = 0
  for (const { pid } of await processTree(root)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Its own user and system time, and those of its children that have ended, such as readers of file drops.
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks * TICK_US
}
