import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What test files did on one fault. */
export interface Run {
  readonly passed: boolean
  /** The names of tests that failed. */
  readonly failed: readonly string[]
  /** The ids of faults whose places were reached in this process. */
  readonly reached: readonly number[]
  /** Those of them that were reached before the first test began, since their modules were loaded. */
  readonly loaded: readonly number[]
  readonly seconds: number
}

export interface Asked {
  readonly mutant: number
  readonly tests: readonly string[]
  readonly limitMs: number
  /** Whether nothing that an earlier fault left may be loaded. */
  readonly fresh: boolean
}

const PROGRAM = fileURLToPath(new URL('./jestProcess.js', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LARGE_HEAP = 1_200_000_000

/** Runs tests in a process that stays until a fault hangs it, wants a new one, or has filled its memory. */
export class HotJest {
  private child: ChildProcess | undefined

  async run({ mutant, tests, limitMs, fresh }: Asked): Promise<Run | 'hung'> {
    if (fresh) this.stop()
    const child = this.child ?? this.start(mutant)
    this.child = child
    const answer = await new Promise<(Run & { heap: number }) | 'hung'>((resolve) => {
      const ended = (value: (Run & { heap: number }) | 'hung') => {
        clearTimeout(timer)
        child.removeAllListeners()
        resolve(value)
      }
      const timer = setTimeout(() => ended('hung'), limitMs)
      child.once('message', ended)
      child.once('exit', () => ended('hung'))
      child.send({ mutant, tests, root: ROOT, testTimeout: Math.min(60_000, limitMs / 2) })
    })
    if (fresh || answer === 'hung' || answer.heap > LARGE_HEAP) this.stop()
    return answer
  }

  stop(): void {
    const pid = this.child?.pid
    this.child = undefined
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }

  private start(mutant: number): ChildProcess {
    return fork(PROGRAM, [], {
      cwd: ROOT,
      env: { ...process.env, MUTANT: String(mutant), JEST_WORKER_ID: '1' },
      execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-old-space-size=3000'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
    })
  }
}
