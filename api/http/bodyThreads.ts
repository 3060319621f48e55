import { Worker } from 'node:worker_threads'
import { threadFile } from '../../src/adapters/processes/ownModule.ts'
import type { Fault } from '../../src/contract/errorEnvelope.ts'
import type { ErrorCode } from '../../src/contract/vocabulary/codes.ts'
import { fairTurns } from '../../src/domain/fairTurns.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { valuesIn } from '../../src/domain/strictJson.ts'
import type { CheckedRequest } from './call.ts'
import type { Reply } from './reply.ts'

/** Handles requests with large bodies in worker threads, off the request loop. */
export interface BodyThreads {
  /**
   * Runs the operation of a request, by its name, in a thread. Tenants take turns. Errors: RATE_LIMITED when too many requests of one tenant are waiting,
   * UNAVAILABLE when too many of all tenants are. `raw` is transferred to the thread, so the caller cannot read it afterwards.
   */
  answer(operation: string, query: unknown, checked: CheckedRequest & { readonly raw: Buffer }): Promise<Reply>
  /** Starts a thread before one is needed. */
  warm(): void
  close(): Promise<void>
}

/** Whether reading a body would take longer than the request loop may be blocked. */
export function takesLong(raw: Buffer): boolean {
  return raw.length > 64 * 1024 || (raw.length > 4_000 && valuesIn(raw) > 4_000)
}

export type ThreadTask = Omit<CheckedRequest, 'raw' | 'stream' | 'disconnectSignal'> & {
  readonly operation: string
  readonly query: unknown
  readonly raw: Uint8Array
}

export type ThreadReport =
  | { kind: 'committed' }
  | { kind: 'reply'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array | undefined }
  | { kind: 'refusal'; code: ErrorCode; message: string; details: Record<string, unknown>; faults: readonly Fault[] }
  | { kind: 'failure'; message: string; stack: string | undefined; code: string | undefined }

export interface OpenBodyThreads {
  readonly threads: number
  /** The environment from which the threads read their settings. */
  readonly env: NodeJS.ProcessEnv
  /** Called when a thread has committed something. */
  readonly committed: () => void
  /** Called with the reason when a thread ended unexpectedly. */
  readonly failed: (error: Error) => void
}

/** The most requests that may wait for a thread: per tenant, and in total. */
const WAITING = { perTenant: 4, total: 32 }
/** The most memory and time that a request may take before its thread is ended. */
const HEAP_MIB = 1_024
const LONGEST_MS = 300_000

/** Opens the threads, each of which starts when it is first needed. */
export function openBodyThreads({ threads, env, committed, failed }: OpenBodyThreads): BodyThreads {
  const turns = fairTurns({ permits: threads, perTenant: 1 })
  const all = new Set<Worker>()
  const idle = new Set<Worker>()
  let waiting = 0

  const start = () => {
    const worker = new Worker(ENTRY, { env, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      idle.delete(worker)
    })
    worker.on('error', failed)
    return worker
  }
  const turn = async (tenant: string) => {
    if (turns.waiting(tenant) >= WAITING.perTenant) {
      const message = `${WAITING.perTenant} large requests of yours wait for their turn already: try again in 1 s.`
      throw overLimit({ limit: 'large requests', most: WAITING.perTenant }, message, 1)
    }
    if (waiting >= WAITING.total) throw new Refusal('UNAVAILABLE', 'Too many large requests wait for their turn: try again in 1 s.')
    waiting += 1
    return turns.take(tenant).finally(() => {
      waiting -= 1
    })
  }

  return {
    async answer(operation, query, { disconnectSignal: _, stream: __, raw, ...checked }) {
      const release = await turn(checked.caller.entity)
      const [worker = start()] = idle
      idle.delete(worker)
      try {
        const task = { ...checked, operation, query, raw: ownBytes(raw) }
        return await carryOut(worker, task, committed)
      } finally {
        if (all.has(worker)) idle.add(worker)
        release()
      }
    },
    warm: () => void idle.add(start()),
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

function carryOut(worker: Worker, task: ThreadTask & { raw: Uint8Array<ArrayBuffer> }, committed: () => void): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const close = () => {
      clearTimeout(late)
      worker.off('message', take).off('error', fail).off('exit', fail)
    }
    const fail = () => {
      close()
      reject(new Refusal('UNAVAILABLE', 'The request took more memory or time than one may take: send less at once, or try again.'))
    }
    const take = (report: ThreadReport) => {
      if (report.kind === 'committed') return committed()
      close()
      if (report.kind === 'reply') resolve(report)
      else reject(errorOf(report))
    }
    const late = setTimeout(() => void worker.terminate(), LONGEST_MS)
    worker.on('message', take).once('error', fail).once('exit', fail)
    worker.postMessage(task, [task.raw.buffer])
  })
}

function errorOf(report: Extract<ThreadReport, { kind: 'refusal' | 'failure' }>): Error {
  if (report.kind === 'refusal') return new Refusal(report.code, report.message, report.details, report.faults)
  const { message, stack, code } = report
  return Object.assign(new Error(message), { stack, code })
}

/** Returns bytes that can be transferred: copies a small buffer, since it is a part of a shared one. */
function ownBytes(raw: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = raw.byteOffset === 0 && raw.byteLength === raw.buffer.byteLength
  return (isWhole ? new Uint8Array(raw.buffer) : Uint8Array.from(raw)) as Uint8Array<ArrayBuffer>
}

const ENTRY = threadFile({ path: './bodyThread', from: import.meta.url })
