import { composeMail } from '../adapters/composeMail.ts'
import { serveTasks } from '../adapters/serveTasks.ts'
import { InvalidDocument, renderDocument } from './renderDocument.ts'
import type { Rendering, RenderTask } from './renderer.ts'

// The thread of a renderer.

serveTasks<RenderTask, Rendering>((task) => (task.kind === 'render' ? rendered(task.source) : composeMail(withBuffers(task.mail))))

function rendered(source: Parameters<typeof renderDocument>[0]) {
  try {
    return renderDocument(source)
  } catch (error) {
    if (error instanceof InvalidDocument) return { invalid: error.path, message: error.message }
    throw error
  }
}

/** A message between threads turns a Buffer into plain bytes, which the composer does not take. */
function withBuffers(mail: Extract<RenderTask, { kind: 'compose' }>['mail']) {
  return { ...mail, documents: mail.documents.map((document) => ({ ...document, content: bufferOf(document.content) })) }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
