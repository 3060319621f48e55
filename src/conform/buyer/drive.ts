import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { NotHeld } from '../story.ts'

/** What a planner tells a buyer's program: one order, and how to answer what comes of it. Sent to it as JSON. */
export interface Brief {
  readonly story: string
  readonly seller: string
  readonly workflow: 'catalog' | 'proposal' | 'document'
  /** The order's number, under which it is sent again if need be. */
  readonly external_order_id: string
  readonly advertiser_id: string
  /** Of a catalog order. */
  readonly product_id?: string
  readonly week?: string
  readonly units?: number
  /** Of a proposal. */
  readonly budget_gross?: number
  /** Of a document order: the path of a file in csv. */
  readonly document?: string
  readonly on_counter?: 'accept' | 'withdraw'
  readonly on_plan?: 'confirm' | 'reject'
  /** Cancel once the order waits for its seller. */
  readonly then?: 'cancel'
  /** Where deliveries of this order's events come to, and the secret that signs them. */
  readonly webhook?: { readonly port: number; readonly secret: string }
}

/** A buyer's program that works on a brief. */
export interface Driven {
  /** Fails with NotHeld if the program has ended with a fault. */
  check(): void
  /** The end of the program. Fails with NotHeld if it ends with a fault or not in time. */
  ended(): Promise<void>
  stop(): void
}

export interface Driver {
  drive(brief: Brief): Driven
}

/** Starts a command of the shell for each brief, which gets it on its standard input, and the marketplace and its token as variables. */
export function commandDriver(command: string, access: { url: string; token: string }, patienceMs: number): Driver {
  return {
    drive(brief) {
      const env = { ...process.env, MARKETPLACE_URL: access.url, MARKETPLACE_TOKEN: access.token }
      // A group of its own, so that what the shell has started ends with it.
      const child = spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-2_000)
      })
      child.stdin.on('error', () => undefined) // a program may not read its brief
      child.stdin.end(JSON.stringify(brief))
      return driven(child, () => said.trim(), patienceMs)
    },
  }
}

/** Shows each brief to somebody who has another program place the order. */
export function shownDriver(show: (text: string) => void): Driver {
  return {
    drive(brief) {
      show(`waiting for this order: ${JSON.stringify(brief)}\n`)
      return { check: () => undefined, ended: async () => undefined, stop: () => undefined }
    },
  }
}

function driven(child: ChildProcess, said: () => string, patienceMs: number): Driven {
  const closed = once(child, 'close').then(([code]) => code as number | null)
  let code: number | null | undefined
  void closed.then((ended) => {
    code = ended
  })
  const check = () => {
    if (code === undefined || code === 0) return
    const lines = said().split('\n')
    const last = lines.findLast((line) => /(?:Error|Fault)\b/.test(line)) ?? lines.at(-1) ?? ''
    throw new NotHeld(
      `the program ended with ${code}: ${last}`,
      'carry out the brief on standard input, and end with 0 once the order has ended',
    )
  }
  const stop = () => {
    if (code === undefined) killGroup(child)
  }
  process.once('exit', stop)
  void closed.then(() => process.removeListener('exit', stop))
  return {
    check,
    stop,
    async ended() {
      const late = Symbol('late')
      const waiting = new AbortController()
      const end = await Promise.race([closed, timeout(patienceMs, late, waiting.signal)])
      waiting.abort()
      if (end === late) {
        stop()
        throw new NotHeld('the program did not end', 'end it once the order is placed, canceled, rejected or failed')
      }
      code = end as number | null
      check()
    },
  }
}

/** Ends a program and all that it has started; it may have ended by itself. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function timeout<Value>(milliseconds: number, value: Value, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(value), milliseconds)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
}
