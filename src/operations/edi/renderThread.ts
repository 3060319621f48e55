import { composeMail, type OrderMail } from '../../adapters/mail/composeMail.ts'
import { serveTasks } from '../../adapters/processes/serveTasks.ts'
import type { RenderedDocument } from '../../domain/edi/renderedDocument.ts'
import { InvalidDocument, renderDocument } from './renderDocument.ts'
import type { Rendering, RenderTask } from './renderer.ts'

// Runs in the thread of a renderer.

serveTasks<readonly RenderTask[], readonly Rendering[]>(async (tasks) => {
  const made: Rendering[] = []
  for (const task of tasks) made.push(await make(task))
  return made
})

async function make({ mail, from }: RenderTask): Promise<Rendering> {
  try {
    const document = 'source' in from ? renderDocument(from.source) : from.document
    const { subject, text, headers } = document
    return { document, composed: await composeMail({ ...mail, subject, text, headers, documents: attachmentsOf(document) }) }
  } catch (error) {
    if (error instanceof InvalidDocument) return { invalid: error.path, message: error.message }
    throw error
  }
}

function attachmentsOf({ scx, csv, filename }: RenderedDocument): OrderMail['documents'] {
  const stem = filename.slice(0, filename.lastIndexOf('.'))
  return [
    ...(scx === null ? [] : [{ filename: `${stem}.scx`, contentType: 'application/xml', content: bufferOf(scx) } as const]),
    ...(csv === null ? [] : [{ filename: `${stem}.csv`, contentType: 'text/csv', content: bufferOf(csv) } as const]),
  ]
}

/** Returns bytes as a Buffer, which the composer needs; sending a message between threads turns a Buffer into a Uint8Array. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
