import { processArguments } from '../../src/adapters/ownModule.ts'
import { type KeptChild, keepRunning } from '../../src/embedded/keepRunning.ts'
import { WORKER_RUNNING } from './product.ts'

/** A second API and a second worker beside those of a product, on the same engines and files, each started again when it dies. */
export interface Twins {
  /** Every process id that a twin has had, the present one last. */
  pidsOf(twin: Twin): readonly number[]
  /** How often a worker has said that it works. */
  timesWorking(): number
  stop(): Promise<void>
}
export type Twin = 'api' | 'worker'

/** Resolves when both are ready. */
export async function startTwins(env: Readonly<Record<string, string>>): Promise<Twins> {
  const pids: Record<Twin, number[]> = { api: [], worker: [] }
  let working = 0
  const keep = (twin: Twin): KeptChild =>
    keepRunning({
      name: `second ${twin}`,
      args: processArguments({ path: `../../${twin}/main`, from: import.meta.url }),
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      onProgress: () => undefined,
      onStart: (pid) => void pids[twin].push(pid),
      onOutput: (line) => {
        if (line.includes(WORKER_RUNNING)) working += 1
      },
    })
  const kept = [keep('api'), keep('worker')]
  await Promise.all(kept.map(({ ready }) => ready))
  return {
    pidsOf: (twin) => pids[twin],
    timesWorking: () => working,
    async stop() {
      await Promise.all(kept.map((child) => child.stop()))
    },
  }
}
