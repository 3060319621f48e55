import type { ComposedMail, OrderMail } from '../../adapters/mail/composeMail.ts'
import { threadFile } from '../../adapters/processes/ownModule.ts'
import { openTaskThread, TaskFailed, TaskLost, type ThreadSettings } from '../../adapters/processes/taskThread.ts'
import type { DocumentSource, RenderedDocument } from '../../domain/edi/renderedDocument.ts'

/** Makes documents and mails in a thread, since a document of 500 lines takes a tenth of a second, which would block the worker. */
export interface Renderer {
  /** Rejects with TaskLost if the thread dies with this task; a retry may succeed. */
  make(task: RenderTask): Promise<Rendering>
  close(): Promise<void>
}

/** A mail, with either the source of its document or the document itself. */
export interface RenderTask {
  readonly mail: MailHead
  readonly from: { readonly source: DocumentSource } | { readonly document: RenderedDocument }
}

/** The members of a mail other than its document. */
export type MailHead = Omit<OrderMail, 'subject' | 'text' | 'headers' | 'documents'>

export type Rendering = MadeMail | InvalidRendering

export interface MadeMail {
  readonly document: RenderedDocument
  readonly composed: ComposedMail
}

/** A mail that can never be made: `invalid` is the element that fails the document check, or `thread` if the work itself fails. */
export interface InvalidRendering {
  readonly invalid: string
  readonly message: string
}

/** The limits of the thread. A document of the largest order takes a second on a busy machine. */
const STANDARD = { longestMs: 60_000, heapMib: 512 }

export function openRenderer(limits: Pick<ThreadSettings, 'longestMs' | 'heapMib'> = STANDARD): Renderer {
  const thread = openTaskThread<readonly RenderTask[], readonly Rendering[]>({ entry: ENTRY, ...limits })
  let asked: Asked[] = []
  const alone = async ({ task, resolve, reject }: Asked): Promise<void> => {
    const made = thread.ask([task]).catch((error) => {
      if (error instanceof TaskFailed) return [{ invalid: 'thread', message: error.message }]
      throw error
    })
    await made.then(([rendering]) => resolve(rendering as Rendering), reject)
  }
  const flush = (): void => {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += TOGETHER) void together(all.slice(at, at + TOGETHER))
  }
  const together = async (group: readonly Asked[]): Promise<void> => {
    const [first] = group
    if (first !== undefined && group.length === 1) return alone(first)
    try {
      const made = await thread.ask(group.map(({ task }) => task))
      for (const [index, { resolve }] of group.entries()) resolve(made[index] as Rendering)
    } catch (error) {
      // Retries each task alone, so that a single bad task does not fail the others.
      if (error instanceof TaskFailed || error instanceof TaskLost) await Promise.all(group.map(alone))
      else for (const { reject } of group) reject(error)
    }
  }
  return {
    make: (task) =>
      new Promise((resolve, reject) => {
        asked.push({ task, resolve, reject })
        if (asked.length === 1) queueMicrotask(flush)
      }),
    close: () => thread.close(),
  }
}

/** The most tasks in one message between threads, which costs as much as a small mail. The first results return while others are made. */
const TOGETHER = 16

interface Asked {
  readonly task: RenderTask
  resolve(rendering: Rendering): void
  reject(error: unknown): void
}

const ENTRY = threadFile({ path: './renderThread', from: import.meta.url })
