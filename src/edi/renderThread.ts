import { parentPort } from 'node:worker_threads'
import { composeMail } from '../adapters/composeMail.ts'
import { InvalidDocument, renderDocument } from './renderDocument.ts'
import type { RenderReport, RenderTask } from './renderer.ts'

// The thread of a renderer: it does one task after another.

parentPort?.on('message', (task: RenderTask) => void carryOut(task))

async function carryOut(task: RenderTask): Promise<void> {
  try {
    report({ id: task.id, done: task.kind === 'render' ? rendered(task.source) : await composeMail(withBuffers(task.mail)) })
  } catch (error) {
    report({ id: task.id, failed: error instanceof Error ? error.message : String(error) })
  }
}

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

function report(it: RenderReport): void {
  parentPort?.postMessage(it)
}
