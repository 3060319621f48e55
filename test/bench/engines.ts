import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../src/local/embedded/postgres.ts'
import { startTemporal, type Temporal } from '../../src/local/embedded/temporal.ts'
import { findTemporal } from '../../src/local/embedded/temporalBinary.ts'

/** The engines of one bench, on a directory that is thrown away. */
export interface Engines {
  readonly postgres: Postgres
  temporal(): Promise<Temporal>
  stop(): Promise<void>
}

export async function startEngines(onProgress: (text: string) => void): Promise<Engines> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-bench-'))
  const postgres = countingPostgres(dataDir)
  let temporal: Promise<Temporal> | undefined
  let stopping: Promise<void> | undefined
  const stopAll = async () => {
    for (const engine of [temporal, postgres]) await (await engine?.catch(() => undefined))?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const stop = () => {
    stopping ??= stopAll().finally(() => running.delete(stop))
    return stopping
  }
  running.add(stop)
  return {
    postgres: await postgres,
    temporal() {
      temporal ??= findTemporal({ onProgress }).then(({ path }) => startTemporal({ binary: path, dataDir, namespace: 'default' }))
      return temporal
    },
    stop,
  }
}

const running = new Set<() => Promise<void>>()

/** Stops all engines of this process, those that are starting included, and removes their files. Never fails. */
export async function stopEngines(): Promise<void> {
  await Promise.allSettled([...running].map((stop) => stop()))
}

/** The embedded server as the product runs it, durable as ever, but counting statements, and with no checkpoint in the middle of a run. */
async function countingPostgres(dataDir: string): Promise<Postgres> {
  const first = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  const settings = { shared_preload_libraries: 'pg_stat_statements', checkpoint_timeout: '1h', max_wal_size: '8GB', autovacuum: 'on' }
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`)
  await client.end()
  await first.stop()
  return startPostgres({ dataDir })
}
