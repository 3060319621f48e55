import type { Readable } from 'node:stream'
import type { UploadFormat } from '../../contract/vocabulary.ts'
import type { DocumentReading } from '../../domain/document/reading.ts'
import { fairTurns } from '../../domain/fairTurns.ts'
import type { Database } from '../../store/connection/database.ts'
import { findReading, keepReading, type ReadingKey } from '../../store/files/documentReadings.ts'
import { readDocumentFile } from './documentReader.ts'

export interface DocumentRequest extends ReadingKey {
  readonly buyer_entity: string
  readonly format: UploadFormat
}

export interface DocumentReadings {
  /**
   * Returns a document's content: the stored reading, or a new one once the buyer gets a turn at a reader. `permits_taken` if too many of the
   * buyer's documents are waiting, or if no turn comes within a minute. `open` supplies the bytes.
   */
  of(request: DocumentRequest, open: () => Promise<Readable>, signal: AbortSignal): Promise<DocumentReading | 'permits_taken'>
}

/** Buyers take turns at the readers, and one buyer's documents are read one at a time (choices, A document's reader). */
export function openDocumentReadings(db: Database, read: typeof readDocumentFile = readDocumentFile): DocumentReadings {
  const turns = fairTurns({ permits: READERS, perTenant: READERS_PER_BUYER })
  return {
    async of(request, open, signal) {
      const known = await findReading(db, request)
      if (known !== undefined) return known
      if (turns.waiting(request.buyer_entity) >= WAITING_PER_BUYER) return 'permits_taken'
      const patience = AbortSignal.timeout(PATIENCE_MS)
      const turn = await turns.take(request.buyer_entity, AbortSignal.any([signal, patience])).catch((error: unknown) => {
        if (patience.aborted && !signal.aborted) return undefined
        throw error
      })
      if (turn === undefined) return 'permits_taken'
      try {
        // An earlier turn may have read this document.
        const readMeanwhile = await findReading(db, request)
        if (readMeanwhile !== undefined) return readMeanwhile
        const { reading, counted_from_anchor, shown } = await read(await open(), request.format, request.anchor, signal)
        await keepReading(db, request, { reading, shown }, counted_from_anchor)
        return reading
      } finally {
        turn()
      }
    },
  }
}

/** Each reader is a process that may use almost a gigabyte. */
const READERS = 2
const READERS_PER_BUYER = 1
const WAITING_PER_BUYER = 8
const PATIENCE_MS = 60_000
