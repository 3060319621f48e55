import { processArguments } from '../../src/adapters/processes/ownModule.ts'
import { type KeptChild, keepRunning } from '../../src/local/embedded/keepRunning.ts'
import { WORKER_RUNNING } from './product.ts'

/** A second API and a second worker beside those of a product, on the same engines and files. Each is restarted whenever it dies. */
export interface SecondProcesses {
  /** Returns every process id that a kind has had, the current one last. */
  pidsOf(kind: Kind): readonly number[]
  /** Returns how often a worker has reported that it works. */
  timesWorking(): number
  stop(): Promise<void>
}
export type Kind = 'api' | 'worker'

/** Resolves when both are ready. */
export async function startSecondProcesses(env: Readonly<Record<string, string>>): Promise<SecondProcesses> {
  const pids: Record<Kind, number[]> = { api: [], worker: [] }
  let working = 0
  const keep = (kind: Kind): KeptChild =>
    keepRunning({
      name: `second ${kind}`,
      args: processArguments({ path: `../../${kind}/main`, from: import.meta.url }),
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      onProgress: () => undefined,
      onStart: (pid) => void pids[kind].push(pid),
      onOutput: (line) => {
        if (line.includes(WORKER_RUNNING)) working += 1
      },
    })
  const kept = [keep('api'), keep('worker')]
  await Promise.all(kept.map(({ ready }) => ready))
  return {
    pidsOf: (kind) => pids[kind],
    timesWorking: () => working,
    async stop() {
      await Promise.all(kept.map((child) => child.stop()))
    },
  }
}
