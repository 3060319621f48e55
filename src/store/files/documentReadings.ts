import type { DocumentReading } from '../../domain/document/readDocument.ts'
import type { Database } from '../connection/database.ts'

/** What documents were read to say, so that an upload is read once, however many orders name it. */

type Pool = Pick<Database, 'pool'>

/** Raise it when the same file is read to say something else. */
const READER = 1

/** Of one upload: each date to count from may be read to say something else. */
const PER_UPLOAD = 16

export interface ReadingKey {
  readonly upload_id: string
  /** The date from which dates without a year are counted. */
  readonly anchor: string
}

export async function findReading({ pool }: Pool, { upload_id, anchor }: ReadingKey): Promise<DocumentReading | undefined> {
  const { rows } = await pool.query<{ reading: DocumentReading }>({ ...FIND, values: [upload_id, READER, anchor] })
  return rows[0]?.reading
}

/** Keeps a reading for the orders to come: for all of them unless it `depends` on the anchor. */
export async function keepReading(
  { pool }: Pool,
  { upload_id, anchor }: ReadingKey,
  reading: DocumentReading,
  depends: boolean,
): Promise<void> {
  await pool.query({ ...KEEP, values: [upload_id, READER, depends ? anchor : '', JSON.stringify(reading), PER_UPLOAD] })
}

/** Forgets up to `limit` readings that were kept long ago; answers how many. A later order has its document read again. */
export async function forgetReadings({ pool }: Pool, limit: number): Promise<number> {
  return (await pool.query({ ...FORGET, values: [limit] })).rowCount ?? 0
}

const FIND = {
  name: 'find-document-reading',
  text: `select reading from document_readings where upload_id = $1 and reader = $2 and anchor in ($3, '')`,
}

const KEEP = {
  name: 'keep-document-reading',
  text: `insert into document_readings (upload_id, reader, anchor, reading)
    select $1, $2, $3, $4 where (select count(*) from document_readings where upload_id = $1) < $5
    on conflict do nothing`,
}

const FORGET = {
  name: 'forget-document-readings',
  text: `delete from document_readings where (upload_id, reader, anchor) in (
      select upload_id, reader, anchor from document_readings where read_at < now() - interval '7 days' limit $1
    )`,
}
