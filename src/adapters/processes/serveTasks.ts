import { parentPort } from 'node:worker_threads'
import type { NumberedTask, TaskReport } from './taskThread.ts'

/** Runs in the thread: does the tasks that `openTaskThread` sends. */
export function serveTasks<Task, Done>(work: (task: Task) => Done | Promise<Done>): void {
  const report = (it: TaskReport<Done>) => parentPort?.postMessage(it)
  const carryOut = async ({ id, task }: NumberedTask<Task>) => {
    try {
      report({ id, done: await work(task) })
    } catch (error) {
      report({ id, failed: error instanceof Error ? error.message : String(error) })
    }
  }
  // Runs tasks one at a time, so that the oldest task is the one that a dying thread was working on.
  let last = Promise.resolve()
  parentPort?.on('message', (task: NumberedTask<Task>) => {
    last = last.then(() => carryOut(task))
  })
}
