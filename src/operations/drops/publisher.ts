import { writeSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { openDatabase } from '../../store/connection/database.ts'
import type { PublishReport, PublishTask } from './publishApart.ts'
import { publishFiles } from './publishDrop.ts'
import { openSpool } from './spool.ts'
import { atStage, StageStuck } from './stage.ts'

// The process that publishes a large drop: takes a `PublishTask` from stdin and writes a `PublishReport` to descriptor 3.

/** The worker's other tasks take priority, but not by much, since a publish has transactions open. */
const NICE = 5
const REPORT = 3

async function main(): Promise<void> {
  setPriority(NICE)
  const { name, databaseUrl, dataDir, productsPerSeller } = JSON.parse(await text(process.stdin)) as PublishTask
  const db = openDatabase(databaseUrl, { process: 'worker', max: 2 })
  const deps = { db, spool: openSpool(dataDir), productsPerSeller }
  await atStage(db, name, 'publish', (run) => publishFiles(deps, run, new AbortController().signal, Number.POSITIVE_INFINITY))
}

function report(it: PublishReport): void {
  writeSync(REPORT, JSON.stringify(it))
}

main().then(
  () => {
    report({ kind: 'published' })
    process.exit(0)
  },
  (error: unknown) => {
    if (error instanceof StageStuck) report({ kind: 'stuck', reason: error.reason })
    else report({ kind: 'failed', message: String(error), stack: error instanceof Error ? error.stack : undefined })
    process.exit(1)
  },
)
