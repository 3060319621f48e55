import type { CreateUpload, Upload } from '../../contract/upload.ts'
import type { UploadFormat, UploadStatus } from '../../contract/vocabulary.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockedTx, lockOn } from '../connection/lockedTransaction.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** The buyers' uploads. Every query includes the buyer, so that another buyer's upload is as unknown as one that never existed. */

export interface UploadTerms {
  /** The hours until an upload that no order references lapses. */
  ttlHours: number
  /** The uploads that one buyer may mint in any 24 hours; 0 means no limit. */
  perDay: number
}

/** The right to an upload's single PUT, and where its bytes are stored. */
export interface UploadClaim {
  upload_id: string
  format: UploadFormat
  size_bytes: number
  claimed_at: string
  /** The name in the object storage. Each claim has its own, so that an outdated claim cannot overwrite its successor's bytes. */
  object: string
}

/** Mints an upload in status pending. If the buyer has used up the day's share, returns the seconds until another is allowed. */
export async function mintUpload(
  db: Database,
  buyer_entity: string,
  request: CreateUpload,
  { ttlHours, perDay }: UploadTerms,
): Promise<{ minted: Upload } | { retryAfter: number }> {
  const mint = async (tx: Tx) => {
    const now = Date.now()
    const dates = { created_at: new Date(now).toISOString(), expires_at: new Date(now + ttlHours * 3_600_000).toISOString() }
    const upload_id = newId('upl_')
    const row = { upload_id, buyer_entity, ...request, status: 'pending' as const, sha256: null, ...dates }
    const { filename, format, size_bytes } = request
    await runOn(tx, MINT.bind({ upload_id, buyer: buyer_entity, filename, format, size_bytes, ...dates }))
    return { minted: { ...row, upload_url: uploadUrl(upload_id) } }
  }
  if (perDay === 0) return db.sql.transaction().execute(mint)
  return lockedTx(db, lockOn(`uploads:${buyer_entity}`), async (tx) => {
    const { rows } = await runOn<{ seconds: number }>(tx, UNTIL_ROOM.bind({ buyer: buyer_entity, others: perDay - 1 }))
    const [row] = rows
    return row === undefined ? mint(tx) : { retryAfter: Math.max(row.seconds, 1) }
  })
}

/** Returns the record as its buyer reads it; undefined if this buyer has no such upload. */
export async function readUpload({ pool }: Pick<Database, 'pool'>, buyerEntity: string, uploadId: string): Promise<Upload | undefined> {
  const { rows } = await pool.query<Omit<Upload, 'size_bytes' | 'upload_url'> & { size_bytes: string }>(
    READ.bind({ upload_id: uploadId, buyer: buyerEntity }),
  )
  const [row] = rows
  return row && { ...row, size_bytes: Number(row.size_bytes), upload_url: uploadUrl(uploadId) }
}

/** Claims the single PUT of an upload that still waits for its bytes; undefined if it cannot be claimed. */
export async function claimUpload(
  { pool }: Pick<Database, 'pool'>,
  buyerEntity: string,
  uploadId: string,
): Promise<UploadClaim | undefined> {
  const { rows } = await pool.query<Omit<UploadClaim, 'size_bytes' | 'object'> & { size_bytes: string }>(
    CLAIM.bind({ upload_id: uploadId, buyer: buyerEntity }),
  )
  const [row] = rows
  return row && { ...row, size_bytes: Number(row.size_bytes), object: objectOf(uploadId, row.claimed_at) }
}

/**
 * Ends a claim: with the hash of the stored bytes, as rejected, or as if it had never existed. Returns false, and changes nothing, if the
 * claim has been taken over or the upload has lapsed in the meantime.
 */
export async function endClaim(
  { pool }: Pick<Database, 'pool'>,
  { upload_id, claimed_at }: UploadClaim,
  end: { status: 'uploaded'; sha256: string } | { status: Extract<UploadStatus, 'rejected' | 'pending'> },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    END.bind({ upload_id, claimed_at, status: end.status, sha256: end.status === 'uploaded' ? end.sha256 : null }),
  )
  return rowCount === 1
}

/** The bytes of an upload for a download. */
export interface UploadBytes {
  readonly filename: string
  readonly size_bytes: number
  /** The name in the object storage. */
  readonly object: string
}

/** Returns an order's attachment from its buyer, for either party of the order; undefined if there is no such attachment. */
export async function findAttached({ pool }: Pick<Database, 'pool'>, orderId: string, uploadId: string): Promise<UploadBytes | undefined> {
  const { rows } = await pool.query<StoredBytes>(ATTACHED.bind({ order_id: orderId, upload_id: uploadId }))
  return rows[0] && bytesOf(rows[0])
}

/** Returns the bytes of a buyer's upload; undefined if the buyer has none. */
export async function findOwnBytes(
  { pool }: Pick<Database, 'pool'>,
  buyerEntity: string,
  uploadId: string,
): Promise<UploadBytes | undefined> {
  const { rows } = await pool.query<StoredBytes>(OWN_BYTES.bind({ buyer: buyerEntity, upload_id: uploadId }))
  return rows[0] && bytesOf(rows[0])
}

type StoredBytes = { upload_id: string; filename: string; size_bytes: string; claimed_at: string }

function bytesOf({ upload_id, filename, size_bytes, claimed_at }: StoredBytes): UploadBytes {
  return { filename, size_bytes: Number(size_bytes), object: objectOf(upload_id, claimed_at) }
}

/** Returns the object that holds an upload's bytes; undefined if there is none. */
export async function readObjectName({ pool }: Pick<Database, 'pool'>, uploadId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ claimed_at: string }>(OBJECT.bind({ upload_id: uploadId }))
  const [row] = rows
  return row && objectOf(uploadId, row.claimed_at)
}

/** Lapses up to `limit` uploads that are past expires_at and in no order. Returns their number. Concurrent callers share the work. */
export async function lapseUploads({ pool }: Pick<Database, 'pool'>, limit: number): Promise<number> {
  const { rowCount } = await pool.query(LAPSE.bind({ limit }))
  return rowCount ?? 0
}

/** Returns up to `limit` lapsed or rejected uploads whose objects may still exist. */
export async function uploadsToClear({ pool }: Pick<Database, 'pool'>, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ upload_id: string }>(TO_CLEAR.bind({ limit }))
  return rows.map(({ upload_id }) => upload_id)
}

/** Records that the objects of these uploads are deleted. */
export async function uploadsCleared({ pool }: Pick<Database, 'pool'>, uploadIds: readonly string[]): Promise<void> {
  await pool.query(CLEARED.bind({ upload_ids: uploadIds }))
}

/** Returns the prefix of the names of an upload's objects. */
export function uploadFolder(uploadId: string): string {
  return `uploads/${uploadId}`
}

/** Returns a claim's own object name, so that an outdated claim cannot overwrite its successor's bytes. */
function objectOf(uploadId: string, claimedAt: string): string {
  return `${uploadFolder(uploadId)}/${Date.parse(claimedAt)}`
}

function uploadUrl(uploadId: string): string {
  return `/v1/uploads/${uploadId}/content`
}

/** Longer than a PUT may take, so the holder of an older claim is gone. */
const STALE = `interval '5 minutes'`

/** Reads the seconds until a buyer that has used up the day's share may mint again; no row if it may now. */
const UNTIL_ROOM = statement(
  'seconds-until-mint',
  ['buyer', 'others'],
  `select ceil(extract(epoch from created_at + interval '1 day' - now()))::int as seconds from uploads
    where buyer_entity = :buyer and created_at > now() - interval '1 day'
    order by created_at desc offset :others limit 1`,
)

/** Writes an upload that waits for its bytes. */
const MINT = statement(
  'mint-upload',
  ['upload_id', 'buyer', 'filename', 'format', 'size_bytes', 'created_at', 'expires_at'],
  `insert into uploads (upload_id, buyer_entity, filename, format, size_bytes, status, created_at, expires_at)
    values (:upload_id, :buyer, :filename, :format, :size_bytes, 'pending', :created_at, :expires_at)`,
)

/** An attachment of an order. */
const ATTACHED = statement('read-attached-upload', ['order_id', 'upload_id'], 'select * from attached_upload(:order_id, :upload_id)')

/** An upload of one buyer that has its bytes and has not expired. */
const OWN_BYTES = statement(
  'read-upload-bytes',
  ['upload_id', 'buyer'],
  `select upload_id, filename, size_bytes, claimed_at from uploads
    where upload_id = :upload_id and buyer_entity = :buyer and status = 'uploaded' and (pinned or expires_at > now())`,
)

/** An upload of one buyer, with the status that clients see. */
const READ = statement(
  'read-upload',
  ['upload_id', 'buyer'],
  `select upload_id, buyer_entity, filename, format, size_bytes, sha256, expires_at, created_at,
    case when status in ('pending', 'receiving', 'uploaded') and not pinned and expires_at <= now() then 'expired'
      when status = 'receiving' then 'pending' else status end as status
    from uploads where upload_id = :upload_id and buyer_entity = :buyer`,
)

/** Claims an upload. Uses whole milliseconds, so that the stamp is the same in JavaScript. */
const CLAIM = statement(
  'claim-upload',
  ['upload_id', 'buyer'],
  `update uploads set status = 'receiving', claimed_at = date_trunc('milliseconds', clock_timestamp())
    where upload_id = :upload_id and buyer_entity = :buyer and expires_at > now()
      and (status = 'pending' or (status = 'receiving' and claimed_at < now() - ${STALE}))
    returning upload_id, format, size_bytes, claimed_at`,
)

/** Ends a current claim on an upload that has not lapsed. Changes one row or none. */
const END = statement(
  'end-upload-claim',
  ['upload_id', 'claimed_at', 'status', 'sha256'],
  `update uploads set status = :status, sha256 = :sha256, claimed_at = case when :status = 'pending' then null else claimed_at end
    where upload_id = :upload_id and claimed_at = :claimed_at::timestamptz and status = 'receiving' and (expires_at > now() or :status <> 'uploaded')`,
)

/** Reads the claim under which the bytes of an upload were stored. */
const OBJECT = statement(
  'read-upload-object',
  ['upload_id'],
  `select claimed_at from uploads where upload_id = :upload_id and status = 'uploaded' and claimed_at is not null`,
)

/**
 * Lapses uploads. Skips a row that a create has locked; a later create waits, then sees that the upload has lapsed. Leaves an upload with a
 * PUT in progress for a later sweep, so that no object appears after its upload was cleared.
 */
const LAPSE = statement(
  'lapse-uploads',
  ['limit'],
  `update uploads set status = 'expired' where not pinned and upload_id in (
      select upload_id from uploads
      where expires_at <= now() and not pinned
        and (status in ('pending', 'uploaded') or (status = 'receiving' and claimed_at < now() - ${STALE}))
      order by expires_at limit :limit for update skip locked
    )`,
)

/** Some uploads whose objects may be deleted. */
const TO_CLEAR = statement(
  'uploads-to-clear',
  ['limit'],
  `select upload_id from uploads where status in ('rejected', 'expired') and claimed_at is not null order by upload_id limit :limit`,
)

/** Marks the objects of uploads as deleted. */
const CLEARED = statement(
  'uploads-cleared',
  ['upload_ids'],
  `update uploads set claimed_at = null where upload_id = any(:upload_ids::text[]) and status in ('rejected', 'expired')`,
)
