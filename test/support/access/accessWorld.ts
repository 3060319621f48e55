import type { Response } from 'supertest'
import type { ENDPOINTS } from '../../../src/contract/endpoints/groups.ts'
import { CREDENTIAL_SIDES, type CredentialSide, SCOPES, type Scope, SIDE_SCOPES } from '../../../src/contract/vocabulary/access.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { saveSandboxRequest } from '../../../src/store/tenants/sandboxRequests.ts'
import { newToken, tokenHash } from '../../../src/store/tenants/token.ts'
import { A_MAPPING } from '../drops/mappings.ts'
import { storeMail } from '../edi/storedMails.ts'
import { registered } from '../files/drops.ts'
import { attachment, uploaded } from '../files/uploads.ts'
import { checkReply } from '../http/contract.ts'
import { receiveMail } from '../mail/receiveMail.ts'
import { endedMakegoods } from '../makegoods/makegoodsOf.ts'
import type { Market } from '../market.ts'
import { actedVariances } from '../settlement/actedVariances.ts'
import { paidInvoice } from '../settlement/paidInvoice.ts'
import { ACCESS, type AccessRow, type Named } from './access.ts'

/** A market in which acme and cable own one of everything that the access table names, and the calls of the table. */
export interface AccessWorld {
  readonly named: Named
  call(method: Method, path: string, row: AccessRow, authorization: string | undefined, more?: CallOptions): Promise<Response>
  /** Writes a credential straight to the database, beyond the limit of two living ones. */
  credential(side: CredentialSide, more?: Forged): Promise<string>
}

interface Forged {
  scopes?: readonly Scope[]
  expires_at?: string
  revoked_at?: string
}

type Method = (typeof ENDPOINTS)[number]['method']
interface CallOptions {
  side?: CredentialSide
  name?: string
  body?: unknown
}

export const OWNER = { buyer: 'acme', seller: 'cable', operator: 'operations' } as const

export async function accessWorld(market: Market): Promise<AccessWorld> {
  const named = await everythingNamed(market)
  return {
    named,
    async call(method, path, row, authorization, more = {}) {
      const names = more.name === undefined ? namesOf(named, row, more.side ?? 'buyer') : [more.name]
      const left = [...names]
      const [name = ''] = names
      const url = `${path.replaceAll(/:\w+/g, () => left.shift() ?? name)}${row.query?.(name) ?? ''}`
      const body = 'body' in more ? more.body : row.body
      let request = market.request[method](`/v1${url}`)
      if (authorization !== undefined) request = request.set('Authorization', authorization)
      const reply: Response = await (body === undefined ? request : request.type('application/json').send(body as object))
      const { status, headers } = reply
      checkReply(method, url, { status, headers, text: Buffer.isBuffer(reply.body) ? reply.body.toString() : reply.text })
      return reply
    },
    credential: (side, more) => forgedCredential(market, OWNER[side], side, more),
  }
}

/** Writes a credential straight to the database, without the issuer, and returns its token. */
export async function forgedCredential(
  { deps }: Market,
  entity: string,
  side: CredentialSide,
  { scopes = SIDE_SCOPES[side], ...dates }: Forged = {},
): Promise<string> {
  const token = newToken('test')
  const row = { credential_id: newId('cred_'), entity, side, token_sha256: tokenHash(token), last_four: token.slice(-4) }
  await deps.db.sql
    .insertInto('credentials')
    .values({ ...row, scopes: [...scopes], ...dates })
    .execute()
  return token
}

export function rowOf(operation: string): AccessRow {
  const row = ACCESS[operation]
  if (row === undefined) throw new Error(`${operation} has no row in test/support/access/access.ts: say whom it lets in`)
  return row
}

export function sidesOf({ side }: AccessRow): CredentialSide[] {
  if (side === 'everybody') return [...CREDENTIAL_SIDES]
  return side === 'any' ? ['buyer', 'seller'] : [side]
}

/** Returns the scopes that are enough for a call. */
export function enoughOf({ scope, with: more = [] }: AccessRow): Scope[] {
  return scope === null ? [] : [scope, ...more]
}

/** Returns all scopes of a side but those that let a call in. */
export function lackingOf(side: CredentialSide, needed: Scope): Scope[] {
  return SIDE_SCOPES[side].filter((scope) => scope !== needed && !(SCOPES[scope] as readonly string[]).includes(needed))
}

/** Returns the sides whose credentials the row refuses. */
export function othersOf(row: AccessRow): CredentialSide[] {
  return CREDENTIAL_SIDES.filter((side) => !sidesOf(row).includes(side))
}

async function everythingNamed(market: Market): Promise<Named> {
  const { body: creative } = await market.acme.post('/creatives', { creative_code: 'C-1', name: 'Spot', length_seconds: 30 })
  const effective = { start: '2030-01-01', end: '2030-12-31' }
  await market.cable.put('/me/agreements/agr-1', { buyer_entity: 'acme', effective })
  const [order, canceled] = [await market.parked(), await market.created()]
  await market.acme.post(`/orders/${canceled}/cancel`, {})
  await market.cable.put('/me/capabilities', { holds: true })
  const lines = [{ product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }]
  const { body: hold } = await market.acme.post('/holds', { seller: 'cable', lines, ttl_minutes: 10 })
  await market.acme.delete(`/holds/${hold.hold_id}`)
  const mail = await storeMail(market.deps, order, { seq: 1, status: 'queued' })
  const webhooks = { buyer: await webhooksOf(market, 'acme'), seller: await webhooksOf(market, 'cable') }
  const bySide = <Value>(pick: (own: Awaited<ReturnType<typeof webhooksOf>>) => Value) => ({
    buyer: pick(webhooks.buyer),
    seller: pick(webhooks.seller),
  })
  const upload = await uploaded(market, market.acme)
  const attachedTo = await market.created({ attachments: [attachment(upload)] })
  return {
    endpoint: bySide(({ endpoint }) => endpoint),
    deletedEndpoint: bySide(({ deleted }) => deleted),
    delivery: bySide(({ endpoint, delivery }) => [endpoint, delivery] as const),
    order,
    mail: [order, mail],
    sandboxMail: await receiveMail(market, mail),
    demanded: await demandedOrder(market),
    canceled,
    agreement: 'agr-1',
    creative: creative.creative_id,
    hold: hold.hold_id,
    secret: 'pull',
    upload,
    sellerUpload: await uploaded(market, market.cable, undefined, undefined, '/me/uploads'),
    attachment: [attachedTo, upload],
    invoice: await paidInvoice(market),
    variance: await actedVariances(market),
    makegood: await endedMakegoods(market),
    commit: 'june',
    drop: await registered(market, market.cable, 'd-1', { 'avails.csv': 'product_id' }),
    ...(await madeMappings(market)),
    seller: 'cable',
    buyer: 'acme',
  }
}

async function demandedOrder({ deps }: Market): Promise<string> {
  const request_id = newId('sandbox_')
  await saveSandboxRequest(deps.db, { request_id, kind: 'order', tenant: 'cable', body: { template: 'catalog', then: 'silent' } })
  return request_id
}

async function madeMappings({ cable, station }: Market): Promise<Pick<Named, 'mapping' | 'everyonesMapping' | 'noMapping'>> {
  await cable.put('/me/files/mappings/traffic', A_MAPPING)
  for (const seller of [cable, station]) await seller.put('/me/files/mappings/everyones', A_MAPPING)
  return { mapping: 'traffic', everyonesMapping: 'everyones', noMapping: 'nothing' }
}

async function webhooksOf(market: Market, owner: 'acme' | 'cable') {
  const made = async (name: string): Promise<string> =>
    (await market[owner].post('/webhooks/endpoints', { url: `https://${owner}.example/${name}` })).body.endpoint_id
  const [endpoint, deleted] = [await made('hook'), await made('gone')]
  await market[owner].delete(`/webhooks/endpoints/${deleted}`)
  const { body } = await market[owner].post(`/webhooks/endpoints/${endpoint}/test`, undefined)
  return { endpoint, deleted, delivery: body.delivery_id as string }
}

/** Returns one name for each parameter of the path. Operators name the buyer's things. */
function namesOf(all: Named, { names }: AccessRow, asking: CredentialSide): readonly string[] {
  const side = asking === 'seller' ? 'seller' : 'buyer'
  const owned = names === undefined ? '' : all[names]
  const own = typeof owned === 'string' || isList(owned) ? owned : owned[side]
  return typeof own === 'string' ? [own] : own
}

function isList(owned: Named[keyof Named]): owned is readonly [string, string] {
  return Array.isArray(owned)
}
