import type { ComposedMail, OrderMail } from '../adapters/composeMail.ts'
import { threadFile } from '../adapters/ownModule.ts'
import { openTaskThread, TaskFailed, TaskLost, type ThreadSettings } from '../adapters/taskThread.ts'
import type { DocumentSource, RenderedDocument } from '../domain/edi/renderedDocument.ts'

/** Makes documents and mails in a thread: one of 500 lines takes a tenth of a second, in which the worker would do nothing else. */
export interface Renderer {
  /** Rejects with TaskLost if the thread ends with this task, when another try may succeed. */
  make(task: RenderTask): Promise<Rendering>
  close(): Promise<void>
}

/** A mail, and what its document is rendered from, or the document itself. */
export interface RenderTask {
  readonly mail: MailHead
  readonly from: { readonly source: DocumentSource } | { readonly document: RenderedDocument }
}

/** What a mail has beside its document. */
export type MailHead = Omit<OrderMail, 'subject' | 'text' | 'headers' | 'documents'>

export type Rendering = MadeMail | InvalidRendering

export interface MadeMail {
  readonly document: RenderedDocument
  readonly composed: ComposedMail
}

/** It can be made neither now nor later: `invalid` is the element that fails the check of documents, or `thread` where the work itself fails. */
export interface InvalidRendering {
  readonly invalid: string
  readonly message: string
}

/** A document of the largest order takes a second of this on a busy machine. */
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
      // One of them must not end the others.
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

/** Tasks of one message between threads, which costs about as much as a small mail. The first of a batch go while the thread makes the others. */
const TOGETHER = 16

interface Asked {
  readonly task: RenderTask
  resolve(rendering: Rendering): void
  reject(error: unknown): void
}

const ENTRY = threadFile({ path: './renderThread', from: import.meta.url })
