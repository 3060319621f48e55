import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A thread that does one task at a time, so that a long task does not block the process. */
export interface TaskThread<Task, Done> {
  /** Rejects with TaskFailed if the task fails, as it always would, or with TaskLost if the thread dies with it; a retry may succeed. */
  ask(task: Task): Promise<Done>
  close(): Promise<void>
}

/** The task itself has failed. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/** The thread died with the task, which took too long or too much memory. */
export class TaskLost extends Error {
  override name = 'TaskLost'
}

export interface ThreadSettings extends Pick<WorkerOptions, 'env' | 'workerData'> {
  /** The module of the thread, which calls `serveTasks`. */
  readonly entry: URL
  /** The time after which a task is given up and its thread ended. */
  readonly longestMs: number
  readonly heapMib: number
}

export type NumberedTask<Task> = { readonly id: number; readonly task: Task }
export type TaskReport<Done> = { readonly id: number; readonly done: Done } | { readonly id: number; readonly failed: string }

/** Opens a thread that starts with the first task, and again after it has died. */
export function openTaskThread<Task, Done>({ entry, longestMs, heapMib, ...settings }: ThreadSettings): TaskThread<Task, Done> {
  let thread: Worker | undefined
  let ids = 0
  let isClosed = false
  let late: NodeJS.Timeout | undefined
  /** The waiting tasks, in the order in which the thread does them. */
  const waiting = new Map<number, Waiting<Task, Done>>()

  const close = (report: TaskReport<Done>): void => {
    const task = waiting.get(report.id)
    waiting.delete(report.id)
    watch()
    if ('failed' in report) task?.reject(new TaskFailed(report.failed))
    else task?.resolve(report.done)
  }
  /** Ends the thread when its task takes too long. */
  const watch = (): void => {
    clearTimeout(late)
    late = waiting.size === 0 ? undefined : setTimeout(() => void thread?.terminate(), longestMs)
  }
  const post = (task: NumberedTask<Task>): void => {
    thread ??= start()
    thread.postMessage(task)
  }
  const start = (): Worker => {
    const worker = new Worker(entry, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMib }, ...settings })
    let death = 'the thread took too long'
    worker.on('message', close)
    worker.on('error', ({ message }) => {
      death = message
    })
    worker.once('exit', () => {
      thread = undefined
      const [atWork] = isClosed ? [] : waiting.values()
      const lost = atWork === undefined ? [...waiting.values()] : [atWork]
      for (const { numbered, reject } of lost) {
        waiting.delete(numbered.id)
        reject(isClosed ? new Error(CLOSED) : new TaskLost(death))
      }
      watch()
      for (const { numbered } of waiting.values()) post(numbered)
    })
    return worker
  }

  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error(CLOSED))
        const numbered = { id: ++ids, task }
        waiting.set(numbered.id, { numbered, resolve, reject })
        if (waiting.size === 1) watch()
        post(numbered)
      }),
    async close() {
      isClosed = true
      clearTimeout(late)
      await thread?.terminate()
    },
  }
}

interface Waiting<Task, Done> {
  numbered: NumberedTask<Task>
  resolve(done: Done): void
  reject(error: Error): void
}

const CLOSED = 'The thread is closed.'
