import type { Generated } from 'kysely'
import type { UploadFormat, UploadStatus } from '../../contract/vocabulary.ts'
import type { OptionalTime, Time } from '../connection/columnTypes.ts'

/** The tables of buyers' files. */
export interface FileTables {
  uploads: {
    upload_id: string
    buyer_entity: string
    filename: string
    format: UploadFormat
    size_bytes: string
    status: UploadStatus | 'receiving'
    sha256: string | null
    created_at: Time
    expires_at: Time
    claimed_at: OptionalTime
    pinned: Generated<boolean>
  }
}
