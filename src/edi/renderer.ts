import type { ComposedMail, OrderMail } from '../adapters/composeMail.ts'
import { threadFile } from '../adapters/ownModule.ts'
import { openTaskThread, TaskFailed, type ThreadSettings } from '../adapters/taskThread.ts'
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
  const thread = openTaskThread<RenderTask, Rendering>({ entry: ENTRY, ...limits })
  return {
    make: (task) =>
      thread.ask(task).catch((error) => {
        if (error instanceof TaskFailed) return { invalid: 'thread', message: error.message }
        throw error
      }),
    close: () => thread.close(),
  }
}

const ENTRY = threadFile({ path: './renderThread', from: import.meta.url })
