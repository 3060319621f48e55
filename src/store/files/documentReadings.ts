import type { DocumentReading } from '../../domain/document/reading.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The stored readings of documents, so that an upload is read only once for all orders that name it. */

type Pool = Pick<Database, 'pool'>

/** The version of the reader. Raise it when the same file is read differently. */
const READER = 9

/** The most readings of one upload: each reference date may give a different one. */
const PER_UPLOAD = 16

export interface ReadingKey {
  readonly upload_id: string
  /** The date from which dates without a year are counted. */
  readonly anchor: string
}

export async function findReading({ pool }: Pool, { upload_id, anchor }: ReadingKey): Promise<DocumentReading | undefined> {
  const { rows } = await pool.query<{ reading: DocumentReading }>(FIND.bind({ upload_id, reader: READER, anchor }))
  return rows[0]?.reading
}

/** Stores a reading for future orders: for all of them unless it `depends` on the anchor. */
export async function keepReading(
  { pool }: Pool,
  { upload_id, anchor }: ReadingKey,
  reading: DocumentReading,
  depends: boolean,
): Promise<void> {
  await pool.query(
    KEEP.bind({ upload_id, reader: READER, anchor: depends ? anchor : '', reading: JSON.stringify(reading), max: PER_UPLOAD }),
  )
}

/** Deletes up to `limit` readings that were stored long ago. Returns their number. A later order reads its document again. */
export async function deleteOldReadings({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query(FORGET.bind({ limit }))).rowCount ?? 0
}

/** Reads the reading of an upload for an anchor, or the one for all anchors. */
const FIND = statement(
  'find-document-reading',
  ['upload_id', 'reader', 'anchor'],
  `select reading from document_readings where upload_id = :upload_id and reader = :reader and anchor in (:anchor, '')`,
)

/** Stores a reading, unless there is one or the upload has as many as it may. Returns nothing. */
const KEEP = statement(
  'keep-document-reading',
  ['upload_id', 'reader', 'anchor', 'reading', 'max'],
  `insert into document_readings (upload_id, reader, anchor, reading)
    select :upload_id, :reader, :anchor, :reading where (select count(*) from document_readings where upload_id = :upload_id) < :max
    on conflict do nothing`,
)

/** Deletes some readings that are older than seven days. */
const FORGET = statement(
  'forget-document-readings',
  ['limit'],
  `delete from document_readings where (upload_id, reader, anchor) in (
      select upload_id, reader, anchor from document_readings where read_at < now() - interval '7 days' limit :limit
    )`,
)
