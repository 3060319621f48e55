import { ApplicationFailure, cancellationSignal } from '@temporalio/activity'
import type { ObjectStorage } from '../src/adapters/objectStorage.ts'
import { readTables } from '../src/adapters/tableReader.ts'
import { parseDocument } from '../src/orders/parseDocument.ts'
import type { Database } from '../src/store/database.ts'
import { type OrderHead, readHead } from '../src/store/orderHead.ts'
import type { OrderLog } from '../src/store/orderLog.ts'
import { readObjectName } from '../src/store/uploads.ts'
import { beating } from './beating.ts'
import { commandId } from './orders.ts'

export interface DocumentActivityDeps {
  log: OrderLog
  db: Database
  objects: ObjectStorage
}
export type DocumentActivities = ReturnType<typeof documentActivities>

/** The steps of document orders that take a process and seconds. What a file is like is an answer; only what is about us is tried again. */
export function documentActivities({ log, db, objects }: DocumentActivityDeps) {
  return {
    /** Reads the document of an order that waits for its lines: to needs_confirmation, or failed when it cannot be read. */
    parseDocument: (orderId: string): Promise<OrderHead> =>
      beating(async () => {
        const order = await log.load(orderId)
        const head = await readHead(db, orderId)
        const document = order?.request.document
        if (head === undefined || document === undefined) throw ApplicationFailure.nonRetryable('no document order', 'NOT_FOUND')
        if (head.status !== 'validating') return head
        const bytes = await bytesOf(document.upload_id)
        const read = await readTables(bytes, document.format, cancellationSignal())
        return parseDocument(log, db, orderId, commandId('parse', head), read)
      }),
  }

  async function bytesOf(uploadId: string) {
    const name = await readObjectName(db, uploadId)
    const bytes = name === undefined ? undefined : await objects.get(name)
    if (bytes === undefined)
      throw ApplicationFailure.create({ message: 'the bytes of an upload are not where they were left', type: 'upload_missing' })
    return bytes
  }
}
