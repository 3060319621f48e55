import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity'
import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import type { OrderHead } from '../src/domain/order/head.ts'
import { type DocumentReadings, openDocumentReadings } from '../src/operations/documents/documentReadings.ts'
import { anchorOf, parseDocument } from '../src/operations/orders/parseDocument.ts'
import type { Database } from '../src/store/connection/database.ts'
import { readObjectName } from '../src/store/files/uploads.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import type { OrderLog } from '../src/store/orders/orderLog.ts'
import { beating } from './beating.ts'
import { commandId } from './orders.ts'

export interface DocumentActivityDeps {
  log: OrderLog
  db: Database
  objects: ObjectStorage
}
export type DocumentActivities = ReturnType<typeof documentActivities>

/** Slow steps of document orders, which need a separate process. A faulty file gets an answer; only faults of the service are retried. */
export function documentActivities({ log, db, objects }: DocumentActivityDeps, readings: DocumentReadings = openDocumentReadings(db)) {
  return {
    /**
     * Reads the document of an order that waits for its lines; the order becomes needs_confirmation, or failed if it is unreadable. An order
     * that ends meanwhile gives its turn at a reader back (choices, Turns at a reader).
     */
    parseDocument: (orderId: string): Promise<OrderHead> =>
      beating(async () => {
        const order = await log.load(orderId)
        const head = await readHead(db, orderId)
        const document = order?.request.document
        if (order === undefined || head === undefined || document === undefined)
          throw ApplicationFailure.nonRetryable('no document order', 'NOT_FOUND')
        if (head.status !== 'validating') return head
        const { upload_id, format } = document
        const request = { upload_id, format, buyer_entity: order.facts.buyer_entity, anchor: anchorOf(order) }
        const reading = await unlessOver(orderId, (signal) => readings.of(request, () => bytesOf(upload_id), signal))
        if (reading === 'permits_taken') throw readLater()
        if (reading === undefined) return (await readHead(db, orderId)) ?? head
        return parseDocument(log, db, orderId, commandId('parse', head), reading)
      }),
  }

  /** Returns what `read` gives; undefined if the order stops waiting for it, which also aborts it. */
  async function unlessOver<T>(orderId: string, read: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const [canceled, over, done] = [cancellationSignal(), new AbortController(), new AbortController()]
    const looking = lookUntilOver(orderId, done.signal).then((isOver) => isOver && over.abort())
    try {
      return await read(AbortSignal.any([canceled, over.signal]))
    } catch (error) {
      if (over.signal.aborted && !canceled.aborted) return undefined
      throw error
    } finally {
      done.abort()
      await looking
    }
  }

  /** Resolves with true once the order is no longer validating, and with false once `signal` aborts. A look that fails is made again. */
  async function lookUntilOver(orderId: string, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
      const head = signal.aborted ? undefined : await readHead(db, orderId).catch(() => undefined)
      if (head !== undefined && head.status !== 'validating') return true
    }
    return false
  }

  async function bytesOf(uploadId: string) {
    const name = await readObjectName(db, uploadId)
    const bytes = name === undefined ? undefined : await objects.get(name)
    if (bytes === undefined)
      throw ApplicationFailure.create({ message: 'the bytes of an upload are not where they were left', type: 'upload_missing' })
    return bytes
  }
}

/** Between two looks at an order whose document is being read. */
const LOOK_MS = 500

/** Frees the place for other documents. The random delay keeps retries from all arriving together. */
function readLater(): ApplicationFailure {
  const nextRetryDelay = 5_000 + Math.random() * 10_000
  return ApplicationFailure.create({ message: 'many documents of this buyer wait to be read', type: 'permits_taken', nextRetryDelay })
}
