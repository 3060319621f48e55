import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Script = {
  process: ChildProcess
  /** Returns its lines in order, whenever they came; `undefined` if it has ended without another. */
  nextLine(): Promise<string>
}

/** Runs TypeScript in a separate process, which a test may kill as a user's machine would. Its `import`s are relative to the project. */
export function runScript(source: string, env: NodeJS.ProcessEnv = {}): Script {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, nextLine: async () => String((await lines.next()).value) }
}
