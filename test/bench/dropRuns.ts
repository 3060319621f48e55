import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { directoryStorage } from '../../src/adapters/files/objectStorage/directory.ts'
import { readConfig } from '../../src/config/index.ts'
import type { DropFileType } from '../../src/contract/vocabulary/drops.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import { registerDrop } from '../../src/store/drops/registerDrop.ts'
import { MIB, residentBytes, residentTree } from './residentMemory.ts'
import type { Stage } from './stage.ts'

/** A csv file with so many rows. */
export interface CsvFile {
  readonly type: DropFileType
  readonly rows: number
  readonly text: Iterable<string>
}

/** Writes a file into a drop; the function that is returned registers it and resolves with the milliseconds until its result is there. */
export async function landDrop(db: Database, folder: string, { type, rows, text }: CsvFile): Promise<() => Promise<number>> {
  const seller = 'summit'
  const drop_id = `bench-${randomBytes(4).toString('hex')}`
  const filename = `${type}.csv`
  const path = join(folder, filename)
  await pipeline(Readable.from(text), createWriteStream(path))
  const storage = directoryStorage(join(readConfig({}).dataDir, 'drops'))
  await storage.put(`${seller}/${drop_id}/${filename}`, createReadStream(path))
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    size += chunk.length
  }
  const sha256 = hash.digest('hex')
  const effective = { start: '2029-12-31', end: '2030-12-29' }
  const files = [{ filename, type, format: 'csv' as const, sha256, tag: '1', size }]
  return async () => {
    const began = performance.now()
    await registerDrop(
      db,
      seller,
      { drop_id, schema_version: '1.0', effective, files, identity: sha256, reprocess: false, manifest_sha256: sha256, warnings: [] },
      0,
    )
    for (;;) {
      const drop = await readDrop(db, seller, drop_id)
      if (drop?.stage === 'ended') {
        if (drop.rows_written !== rows) throw new Error(`the drop has written ${drop.rows_written} rows: ${drop.result?.slice(0, 500)}`)
        await storage.delete(`${seller}/${drop_id}`)
        return performance.now() - began
      }
      await sleep(50)
    }
  }
}

/** What a drop costs others, at its worst moment. */
export interface DropCost {
  /** By which the worker and the processes that read files for it grew together. */
  readonly memoryMib: number
  /** By which the worker alone grew. */
  readonly workerMib: number
  readonly transactionMs: number
  readonly orderMs: number
}

/** Watches while `work` goes on: the memory of the worker with its readers, the oldest transaction that has written, and orders one at a time. */
export async function watchDrop({ pool, buyer, nextOrder }: Stage, worker: number, work: () => Promise<number>) {
  let isOver = false
  const end = () => {
    isOver = true
  }
  const before = await residentBytes(worker)
  const sampled = residentTree(worker)
  const max = { memory: 0, worker: 0, transaction: 0, order: 0 }
  const sampling = (async () => {
    while (!isOver) {
      max.memory = Math.max(max.memory, await sampled())
      max.worker = Math.max(max.worker, await residentBytes(worker))
      const { rows } = await pool.query<{ ms: number | null }>(OLDEST)
      max.transaction = Math.max(max.transaction, rows[0]?.ms ?? 0)
      await sleep(20)
    }
  })()
  const ordering = (async () => {
    while (!isOver) {
      const began = performance.now()
      await buyer.createOrder({ body: nextOrder() })
      max.order = Math.max(max.order, performance.now() - began)
      await sleep(100)
    }
  })()
  const ms = await work().finally(end)
  await Promise.all([sampling, ordering])
  const [memoryMib, workerMib] = [max.memory, max.worker].map((bytes) => (bytes - before) / MIB) as [number, number]
  const cost: DropCost = { memoryMib, workerMib, transactionMs: max.transaction, orderMs: max.order }
  return { ms, cost }
}

/** Of clients: the server's own analyze takes as long as it takes, and holds nobody up. */
const OLDEST = `select (extract(epoch from max(clock_timestamp() - xact_start)) * 1000)::float8 as ms from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and backend_xid is not null and pid <> pg_backend_pid()`
