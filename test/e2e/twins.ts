import { processArguments } from '../../src/adapters/ownModule.ts'
import { type KeptChild, keepRunning } from '../../src/embedded/keepRunning.ts'
import { WORKER_RUNNING } from './product.ts'

/** A second API and a second worker beside those of a product, on the same engines and files. */
export interface Twins {
  /** Every process id that a twin has had. */
  pidsOf(twin: Twin): ReadonlySet<number>
  /** SIGKILL; true when it ran. Another is started at once. */
  kill(twin: Twin): boolean
  /** Whether the last worker that was started works. */
  isWorking(): boolean
  stop(): Promise<void>
}
export type Twin = 'api' | 'worker'

/** Resolves when both are ready. */
export async function startTwins(env: Readonly<Record<string, string>>): Promise<Twins> {
  const pids: Record<Twin, number[]> = { api: [], worker: [] }
  const working = new Set<number>()
  const keep = (twin: Twin): KeptChild =>
    keepRunning({
      name: `second ${twin}`,
      args: processArguments({ path: `../../${twin}/main`, from: import.meta.url }),
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      onProgress: () => undefined,
      onStart: (pid) => void pids[twin].push(pid),
      onOutput: (line) => {
        if (twin === 'worker' && line.includes(WORKER_RUNNING)) working.add(pids.worker.at(-1) ?? 0)
      },
    })
  const kept = [keep('api'), keep('worker')]
  await Promise.all(kept.map(({ ready }) => ready))
  return {
    pidsOf: (twin) => new Set(pids[twin]),
    kill(twin) {
      try {
        return process.kill(pids[twin].at(-1) ?? 0, 'SIGKILL')
      } catch {
        return false // it is being started again
      }
    },
    isWorking: () => working.has(pids.worker.at(-1) ?? 0),
    async stop() {
      await Promise.all(kept.map((child) => child.stop()))
    },
  }
}
