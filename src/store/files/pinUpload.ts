import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** Keeps an upload for the life of an order, for both of its parties. Returns false, and changes nothing, if it is no upload of the owner that has its bytes. */
export async function pinUpload(
  tx: Tx,
  { upload_id, owner, order_id }: { upload_id: string; owner: string; order_id: string },
): Promise<boolean> {
  const { rows } = await runOn(tx, PIN.bind({ upload_id, owner, order_id }))
  return rows.length === 1
}

/** Pins an upload to an order. Returns one row, or none. */
const PIN = statement(
  'pin-upload',
  ['upload_id', 'owner', 'order_id'],
  `with pinned as (
      update uploads set pinned = true
      where upload_id = :upload_id and buyer_entity = :owner and status = 'uploaded' and (pinned or expires_at > now()) returning upload_id
    ), attached as (
      insert into order_uploads (order_id, upload_id) select :order_id, upload_id from pinned on conflict do nothing
    )
    select upload_id from pinned`,
)
