import type { AgreedMakegood, CreditedUnits, Makegood, MakegoodOffer, MissedUnits } from '../../contract/makegood.ts'
import type { MakegoodAction, MakegoodSide, MakegoodStatus } from '../../contract/vocabulary/makegoods.ts'
import { asOf } from '../../domain/makegood/makegoodState.ts'
import { utcText } from '../connection/utcText.ts'

/** A makegood as it is stored, with its actions and credits. Times are ISO UTC. */
export interface StoredMakegood {
  readonly makegood_id: string
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly status: MakegoodStatus
  readonly version: number
  readonly missed: MissedUnits[]
  readonly offers: MakegoodOffer[]
  readonly agreed: AgreedMakegood | null
  readonly credits: CreditedUnits[]
  readonly agreed_outside: boolean
  readonly upload_id: string | null
  readonly expires_at: string | null
  readonly due_at: string | null
  readonly followed: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly steps: StoredMakegoodStep[]
}

export interface StoredMakegoodStep {
  readonly action: MakegoodAction
  readonly side: MakegoodSide
  readonly actor: string
  readonly note: string | null
  readonly status: MakegoodStatus
  readonly version: number
  readonly at: string
  readonly request_key: string | null
  /** As hex text; null for what the platform did. */
  readonly body_hash: string | null
}

/** SQL: the columns of a StoredMakegood, from `makegoods m`. */
export const MAKEGOOD_COLUMNS = `m.makegood_id, m.order_id, m.seller, m.buyer_entity, m.status, m.version, m.missed, m.offers, m.agreed, m.agreed_outside, m.notice_file as upload_id,
  m.expires_at, m.due_at, m.followed, m.created_at, m.updated_at,
  coalesce((select json_agg(json_strip_nulls(json_build_object('unit_id', c.unit_id, 'date', c.air_date, 'units', c.units, 'network', c.network, 'gross', c.gross,
      'broadcast_month', c.broadcast_month, 'invoice_id', c.invoice_id)) order by c.unit_id, c.air_date)
    from makegood_credits c where c.makegood_id = m.makegood_id), '[]') as credits,
  coalesce((select json_agg(json_build_object('action', s.action, 'side', s.side, 'actor', s.actor, 'note', s.note, 'status', s.status, 'version', s.version,
      'at', ${utcText('s.at')}, 'request_key', s.request_key, 'body_hash', encode(s.body_hash, 'hex')) order by s.n)
    from makegood_steps s where s.makegood_id = m.makegood_id), '[]') as steps`

/** SQL: the status of `makegoods m` by the clock of the database: an offer whose time is over has expired, whether its run has noticed or not. */
export const CURRENT_STATUS = `case when m.status = 'offered' and m.expires_at <= now() then 'expired' else m.status end`

/** Returns a makegood as it is read, at a time. */
export function asMakegood(stored: StoredMakegood, now: string): Makegood {
  const { makegood_id, order_id, seller, buyer_entity, version, missed, offers, expires_at, agreed_outside, upload_id, agreed } = stored
  const { status } = asOf(stored, now)
  return {
    ...{ makegood_id, order_id, seller, buyer_entity, status, version, for: missed, offers, expires_at, agreed_outside },
    ...(upload_id === null ? {} : { upload_id }),
    ...(agreed === null ? {} : { agreed }),
    credits: stored.credits,
    actions: stored.steps.map(({ request_key: _, body_hash: __, note, ...step }) => (note === null ? step : { ...step, note })),
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  }
}
