import { parentPort } from 'node:worker_threads'
import type { NumberedTask, TaskReport } from './taskThread.ts'

/** The side of the thread: does the tasks that `openTaskThread` is asked for. */
export function serveTasks<Task, Done>(work: (task: Task) => Done | Promise<Done>): void {
  const report = (it: TaskReport<Done>) => parentPort?.postMessage(it)
  const carryOut = async ({ id, task }: NumberedTask<Task>) => {
    try {
      report({ id, done: await work(task) })
    } catch (error) {
      report({ id, failed: error instanceof Error ? error.message : String(error) })
    }
  }
  // One after another: a thread that ends ends its oldest task.
  let last = Promise.resolve()
  parentPort?.on('message', (task: NumberedTask<Task>) => {
    last = last.then(() => carryOut(task))
  })
}
