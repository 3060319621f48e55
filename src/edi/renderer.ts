import { Worker } from 'node:worker_threads'
import type { ComposedMail, OrderMail } from '../adapters/composeMail.ts'
import type { DocumentSource, RenderedDocument } from '../domain/edi/renderedDocument.ts'

/**
 * Makes documents and mails in a thread: one of 500 lines takes a tenth of a second, in which the worker would do nothing else. A task at which the
 * thread dies is rejected, since another try may succeed.
 */
export interface Renderer {
  render(source: DocumentSource): Promise<RenderedDocument | InvalidRendering>
  compose(mail: OrderMail): Promise<ComposedMail | InvalidRendering>
  close(): Promise<void>
}

/** Neither can be made, now or later: `invalid` is the element that fails the check of documents, or `thread` where the work itself fails. */
export interface InvalidRendering {
  readonly invalid: string
  readonly message: string
}

type Asked = { readonly kind: 'render'; readonly source: DocumentSource } | { readonly kind: 'compose'; readonly mail: OrderMail }
export type RenderTask = { readonly id: number } & Asked
export type RenderReport =
  | { readonly id: number; readonly done: RenderedDocument | ComposedMail | InvalidRendering }
  | { readonly id: number; readonly failed: string }

/** A document of the largest order takes a second of this on a busy machine. */
const LONGEST_MS = 60_000
const HEAP_MIB = 512

/** The thread starts with the first task, and again when it has died. */
export function openRenderer(): Renderer {
  let thread: Worker | undefined
  let ids = 0
  let isClosed = false
  let late: NodeJS.Timeout | undefined
  /** In the order in which the thread does them. */
  const waiting = new Map<number, Waiting>()

  const settle = ({ id, ...report }: RenderReport): void => {
    const task = waiting.get(id)
    waiting.delete(id)
    watch()
    task?.resolve('failed' in report ? { invalid: 'thread', message: report.failed } : report.done)
  }
  /** Ends the thread when its task takes too long. */
  const watch = (): void => {
    clearTimeout(late)
    late = waiting.size === 0 ? undefined : setTimeout(() => void thread?.terminate(), LONGEST_MS)
  }
  const post = (task: RenderTask): void => {
    thread ??= start()
    thread.postMessage(task)
  }
  const start = (): Worker => {
    const worker = new Worker(ENTRY, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } })
    let death = 'the thread took too long'
    worker.on('message', settle)
    worker.on('error', ({ message }) => {
      death = message
    })
    worker.once('exit', () => {
      thread = undefined
      const [atWork] = isClosed ? [] : waiting.values()
      const lost = atWork === undefined ? [...waiting.values()] : [atWork]
      for (const { task, reject } of lost) {
        waiting.delete(task.id)
        reject(new Error(isClosed ? CLOSED : death))
      }
      watch()
      for (const { task } of waiting.values()) post(task)
    })
    return worker
  }
  const ask = <Done>(task: Asked): Promise<Done | InvalidRendering> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error(CLOSED))
      const numbered: RenderTask = { id: ++ids, ...task }
      waiting.set(numbered.id, { task: numbered, resolve: resolve as Waiting['resolve'], reject })
      if (waiting.size === 1) watch()
      post(numbered)
    })

  return {
    render: (source) => ask<RenderedDocument>({ kind: 'render', source }),
    compose: (mail) => ask<ComposedMail>({ kind: 'compose', mail }),
    async close() {
      isClosed = true
      clearTimeout(late)
      await thread?.terminate()
    },
  }
}

interface Waiting {
  task: RenderTask
  resolve(done: RenderedDocument | ComposedMail | InvalidRendering): void
  reject(error: Error): void
}

const CLOSED = 'The renderer is closed.'

/** In development the source itself, in production what tsc made of it. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? 'renderThreadFromSource.mjs' : 'renderThread.js', import.meta.url)
