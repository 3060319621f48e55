import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startIsolated } from '../../adapters/processes/isolatedProcess.ts'
import type { DropName } from '../../store/drops/dropRun.ts'
import { type PublishDeps, StageStuck } from './stage.ts'

/** The task of the process, on its stdin. */
export interface PublishTask {
  readonly name: DropName
  readonly databaseUrl: string
  readonly dataDir: string
  readonly productsPerSeller: number
}

/** What the process writes to its descriptor 3 before it ends; a process that dies writes nothing. */
export type PublishReport =
  | { readonly kind: 'published' }
  | { readonly kind: 'stuck'; readonly reason: StageStuck['reason'] }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }

const PUBLISHER = { path: './publisher', from: import.meta.url }

/**
 * Publishes a large drop, whose files are in the spool, in a process of its own, so that neither the worker's memory nor its other tasks
 * depend on what a seller sends. Returns 'outgrown' if the process has exhausted its heap: nothing is published then. Rejects if it was
 * stopped from outside or has failed otherwise, since that says nothing about the drop.
 */
export async function publishApart(
  { db, spool, productsPerSeller }: PublishDeps,
  name: DropName,
  signal: AbortSignal,
  heapMib: number,
): Promise<'published' | 'outgrown'> {
  const target = `${name.seller}/${name.drop_id}` // for people who look at the list of processes
  const flags = [`--max-old-space-size=${heapMib}`, '--max-semi-space-size=8']
  const { child, ended, stop } = startIsolated({ module: PUBLISHER, flags, args: [target], env: process.env, pipes: 1 }, signal)
  ended.catch(() => undefined) // awaited below
  const stdin = child.stdin as Writable
  stdin.on('error', () => undefined) // the end of the process reports more
  try {
    const task: PublishTask = { name, databaseUrl: db.url, dataDir: spool.dataDir, productsPerSeller }
    stdin.end(JSON.stringify(task))
    const report = reportOf(await text(child.stdio[3] as Readable))
    const { code, killedBy, fromOutside } = await ended
    if (report?.kind === 'published') return 'published'
    if (report?.kind === 'stuck') throw new StageStuck(report.reason)
    if (report?.kind === 'failed') throw Object.assign(new Error(report.message), { stack: report.stack })
    if (killedBy !== null && !fromOutside) return 'outgrown'
    throw new Error(`the publisher of ${target} ended (${killedBy ?? code})`)
  } finally {
    stop()
  }
}

/** Returns the report; undefined for a process that has written none, or only a part. */
function reportOf(line: string): PublishReport | undefined {
  try {
    return JSON.parse(line) as PublishReport
  } catch {
    return undefined
  }
}
