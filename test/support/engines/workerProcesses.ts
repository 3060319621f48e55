import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from '@jest/globals'
import { processArguments } from '../../../src/adapters/processes/ownModule.ts'
import { endProcess, nextMessage } from '../childProcesses.ts'

/** The product's own worker in separate processes, which a test may kill, stop and start again. */
export interface WorkerProcesses {
  /** Starts a worker and resolves once it is ready. `onLine` gets each line of its log; without it the lines go to this process's log. */
  start(env?: NodeJS.ProcessEnv, onLine?: (line: Record<string, unknown>) => void): Promise<ChildProcess>
  /** Kills all remaining workers, and resolves once they are gone. */
  kill(): Promise<void>
}

const MAIN = { path: '../../../worker/main', from: import.meta.url }

export function workerProcesses(): WorkerProcesses {
  const children: ChildProcess[] = []
  return {
    async start(env = {}, onLine) {
      const child = spawn(process.execPath, processArguments(MAIN), {
        env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'error', ...env },
        stdio: ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit', 'ipc'],
      })
      children.push(child)
      if (child.stdout !== null && onLine !== undefined) createInterface(child.stdout).on('line', (line) => onLine(JSON.parse(line)))
      expect(await nextMessage(child, 'the worker')).toEqual({ ready: true })
      return child
    },
    async kill() {
      await Promise.all(children.map((child) => endProcess(child, 'SIGKILL')))
    },
  }
}
