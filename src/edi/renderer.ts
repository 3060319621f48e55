import type { ComposedMail, OrderMail } from '../adapters/composeMail.ts'
import { threadFile } from '../adapters/ownModule.ts'
import { openTaskThread, TaskFailed } from '../adapters/taskThread.ts'
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

export type RenderTask =
  | { readonly kind: 'render'; readonly source: DocumentSource }
  | { readonly kind: 'compose'; readonly mail: OrderMail }
export type Rendering = RenderedDocument | ComposedMail | InvalidRendering

/** A document of the largest order takes a second of this on a busy machine. */
const LONGEST_MS = 60_000
const HEAP_MIB = 512

export function openRenderer(): Renderer {
  const thread = openTaskThread<RenderTask, Rendering>({ entry: ENTRY, longestMs: LONGEST_MS, heapMib: HEAP_MIB })
  const ask = async <Done>(task: RenderTask): Promise<Done | InvalidRendering> => {
    try {
      return (await thread.ask(task)) as Done | InvalidRendering
    } catch (error) {
      if (error instanceof TaskFailed) return { invalid: 'thread', message: error.message }
      throw error
    }
  }
  return {
    render: (source) => ask<RenderedDocument>({ kind: 'render', source }),
    compose: (mail) => ask<ComposedMail>({ kind: 'compose', mail }),
    close: () => thread.close(),
  }
}

const ENTRY = threadFile({ path: './renderThread', from: import.meta.url })
