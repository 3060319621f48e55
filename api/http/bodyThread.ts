import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { pino } from 'pino'
import { readConfig } from '../../src/config/index.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { openDeps } from '../deps.ts'
import { routeOf } from '../routes.ts'
import type { ThreadReport, ThreadTask } from './bodyThreads.ts'
import type { CheckedRequest } from './call.ts'

// Runs in a thread of `bodyThreads` and answers requests one at a time, with the request loop's code but its own database connections.

const config = readConfig()
const log = pino({ level: config.logLevel, base: { room: 'api' }, timestamp: pino.stdTimeFunctions.isoTime })
const opened = openDeps(config, { log, connections: 4, committed: () => report({ kind: 'committed' }) })
opened.then(yieldToLoop, () => undefined) // the first task reports what went wrong

/** Gives the thread a third of the loop's share if both want one core, and not less, since a publish has transactions open. */
const NICE = 5

/** Lowers the thread's priority once it is ready, which the first request waits for. Only on Linux do threads have their own priority. */
function yieldToLoop(): void {
  if (process.platform === 'linux') setPriority(NICE)
}

parentPort?.on('message', (task: ThreadTask) => void carryOut(task))

async function carryOut({ operation, query, raw, ...checked }: ThreadTask): Promise<void> {
  try {
    const disconnectSignal = () => new AbortController().signal // no request with a body waits for events
    const deps = await opened
    const own = { ...checked, raw: Buffer.from(raw), disconnectSignal } satisfies CheckedRequest
    const { status, body, headers = {} } = await routeOf(operation).bindQuery(query)(deps, own)
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const bytes = text === undefined ? undefined : new TextEncoder().encode(text)
    report({ kind: 'reply', status, headers, body: bytes }, bytes === undefined ? [] : [bytes.buffer])
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, message, details, faults } = error
      return report({ kind: 'refusal', code, message, details, faults })
    }
    const { message, stack, code } = error as NodeJS.ErrnoException
    report({ kind: 'failure', message, stack, code })
  }
}

function report(it: ThreadReport, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(it, transferred)
}
