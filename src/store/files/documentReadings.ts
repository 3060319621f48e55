import type { DocumentReading, ShownPages } from '../../domain/document/reading.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The stored readings of documents, so that an upload is read only once for all orders that name it. */

type Pool = Pick<Database, 'pool'>

/** The version of the reader. Raise it when the same file is read differently. */
const READER = 10

/** The most readings of one upload: each reference date may give a different one. */
const PER_UPLOAD = 16

export interface ReadingKey {
  readonly upload_id: string
  /** The date from which dates without a year are counted. */
  readonly anchor: string
}

export async function findReading({ pool }: Pool, { upload_id, anchor }: ReadingKey): Promise<DocumentReading | undefined> {
  const { rows } = await pool.query<{ reading: DocumentReading & Pick<KeptReading, 'shown'> }>(
    FIND.bind({ upload_id, reader: READER, anchor }),
  )
  if (rows[0] === undefined) return undefined
  const { shown: _, ...reading } = rows[0].reading
  return reading
}

/** Stores a reading for future orders: for all of them unless it `depends` on the anchor. */
export async function keepReading(
  { pool }: Pool,
  { upload_id, anchor }: ReadingKey,
  { reading, shown }: KeptReading,
  depends: boolean,
): Promise<void> {
  const text = JSON.stringify({ ...reading, shown })
  await pool.query(KEEP.bind({ upload_id, reader: READER, anchor: depends ? anchor : '', reading: text, max: PER_UPLOAD }))
}

/** A reading, and what a person sees of its document. */
export interface KeptReading {
  readonly reading: DocumentReading
  readonly shown?: ShownPages | undefined
}

/** Returns what was seen of one of the buyer's uploads; undefined if it has not been read within a week. Every reading of it saw the same. */
export async function findShownPages({ pool }: Pool, buyerEntity: string, uploadId: string): Promise<ShownPages | undefined> {
  const { rows } = await pool.query<{ shown: ShownPages | null }>(SHOWN.bind({ buyer: buyerEntity, upload_id: uploadId, reader: READER }))
  return rows[0]?.shown ?? undefined
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

/** Reads what was seen of an upload of a buyer. */
const SHOWN = statement(
  'find-document-pages',
  ['buyer', 'upload_id', 'reader'],
  `select r.reading -> 'shown' as shown from document_readings r join uploads u using (upload_id)
    where r.upload_id = :upload_id and r.reader = :reader and u.buyer_entity = :buyer order by r.anchor limit 1`,
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
