import { isDeepStrictEqual } from 'node:util'
import type { Agreement, EdiDelivery, GrantEffect, PutAgreement, PutBuyer } from '../../../src/contract/agreement.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import type { Fault } from '../../../src/contract/errorEnvelope.ts'
import type { ListQuery } from '../../../src/contract/publishedReads.ts'
import { Name } from '../../../src/contract/scalars.ts'
import type { Capabilities, SellerProfile } from '../../../src/contract/seller.ts'
import { PROFILE_WARNING } from '../../../src/contract/vocabulary/codes.ts'
import { checkAgreement, checkLimits } from '../../../src/domain/agreement/checkAgreement.ts'
import { comparedOn, EffectOfGrant } from '../../../src/domain/agreement/grantEffect.ts'
import { conformanceLevel, nextLevel } from '../../../src/domain/discovery/conformanceLevel.ts'
import { Refusal, refuseIfAny } from '../../../src/domain/refusal.ts'
import { baseUrlFault } from '../../../src/domain/targets/targetUrl.ts'
import { readProductPages } from '../../../src/store/catalog/catalog.ts'
import {
  findAgreement,
  hasDealtWith,
  isForeignAgreement,
  listAgreements,
  listBuyerStandings,
  readBuyerStanding,
  saveAgreement,
  saveBuyerStanding,
  trySaveAgreement,
} from '../../../src/store/tenants/agreements.ts'
import { agreementsBetween } from '../../../src/store/tenants/agreementsBetween.ts'
import { hasSecret } from '../../../src/store/tenants/secrets.ts'
import { readConformance, saveProfile } from '../../../src/store/tenants/sellers.ts'
import { actorOf, type Call, type Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { etagOf, expectedOf, ifMatch } from '../../http/ifMatch.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok, type Reply } from '../../http/reply.ts'

/** A seller's grants and declarations: agreements, the buyers who may order, and its capability profile. */

export const putAgreement: Handler<PutAgreement, DryRunQuery> = async (deps, { caller, params, body, headers, query }) => {
  const { db } = deps
  const agreement_id = nameOf(params, 'agreement_id')
  const { agreement_id: named, seller, ...granted } = body
  refuseIfAny([...contradiction('agreement_id', named, agreement_id), ...contradiction('seller', seller, caller.entity)])
  checkAgreement(granted)
  await checkEdi(deps, caller, agreement_id, granted.edi)
  const { currency } = await readConformance(db, caller.entity)
  const agreement: Agreement = {
    agreement_id,
    seller: caller.entity,
    ...granted,
    currency: granted.currency ?? currency,
  }
  checkLimits(agreement)
  if (query.dry_run === 'true') {
    await trySaveAgreement(db, actorOf(caller), agreement, expectedOf(headers))
    return ok({ ...agreement, effect: await deps.pages.inTurn(caller.entity, () => effectOf(deps, agreement)) })
  }
  const outcome = await saveAgreement(db, actorOf(caller), agreement, expectedOf(headers))
  return { status: outcome === 'created' ? 201 : 200, body: agreement, headers: etagOf(agreement) }
}

/** Reads the seller's catalog, a page at a time, for what the buyer of an agreement would see of it. */
async function effectOf({ db }: Deps, granted: Agreement): Promise<GrantEffect> {
  const { seller, buyer_entity } = granted
  const today = new Date().toISOString().slice(0, 10)
  const current = await agreementsBetween(db, buyer_entity, seller, comparedOn(granted, today))
  const effect = new EffectOfGrant({ granted, current, newBuyer: !(await hasDealtWith(db, seller, buyer_entity)), today })
  for await (const products of readProductPages(db, seller, PRODUCTS_PER_BATCH)) for (const product of products) effect.add(product)
  return effect.result()
}

const PRODUCTS_PER_BATCH = 500

/**
 * Order documents reveal orders, so only a credential that decides orders may set their destination; others may only repeat it unchanged.
 * Without mail, a seller must not believe that an agency receives documents (choices, Order document: who may say).
 */
async function checkEdi({ db, mail }: Deps, { scopes, entity }: Caller, agreement_id: string, edi: EdiDelivery | undefined): Promise<void> {
  if (edi === undefined) return
  if (mail === undefined) {
    throw new Refusal('INVALID_INPUT', 'edi must not be sent: this marketplace sends no mail.', { field: 'edi' })
  }
  if (scopes.has(EDI_SCOPE)) return
  const current = await findAgreement(db, agreement_id)
  if (current?.seller === entity && isDeepStrictEqual(current.edi, edi)) return
  throw new Refusal('FORBIDDEN', `The credential lacks the scope ${EDI_SCOPE}, which a change of edi requires.`, {
    required_scope: EDI_SCOPE,
  })
}

const EDI_SCOPE = 'orders:approve'

export const getAgreement: Handler = async ({ db }, { caller, params }) => {
  const agreement = await findAgreement(db, params.agreement_id ?? '')
  if (agreement?.seller !== caller.entity) throw noSuchAgreement()
  return ok(agreement, etagOf(agreement))
}

export const getSellerAgreements: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['agreements', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listAgreements(deps.db, { seller: caller.entity, after, limit: page.limit + 1 })
  return ok(pageOf(deps, page, rows, ({ agreement_id }) => [agreement_id]))
}

/** Accepts an id that no agreement has. For this seller, another seller's agreement does not exist. */
export async function refuseForeignAgreement({ db }: Deps, { entity }: Caller, { agreement_id = '' }: Call['params']): Promise<void> {
  if (await isForeignAgreement(db, entity, agreement_id)) throw noSuchAgreement()
}

export const putBuyer: Handler<PutBuyer> = async ({ db }, { caller, params, body }) => {
  const changed = { buyer_entity: nameOf(params, 'buyer_entity'), ...body }
  await saveBuyerStanding(db, actorOf(caller), changed)
  return ok(changed)
}

export const getBuyers: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['buyers', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listBuyerStandings(deps.db, caller.entity, after, page.limit + 1)
  return ok(pageOf(deps, page, rows, ({ buyer_entity }) => [buyer_entity]))
}

export const getBuyer: Handler = async ({ db }, { caller, params }) => {
  return ok(await readBuyerStanding(db, caller.entity, nameOf(params, 'buyer_entity')))
}

export const getCapabilities: Handler = (deps, { caller }) => capabilities(deps, caller)

/** Replaces the profile. Calls that it no longer declares stop (choices, Capability profile). */
export const putCapabilities: Handler<SellerProfile> = async (deps, { caller, body, headers }) => {
  const { pull } = body.transports
  const fault = pull && baseUrlFault(pull.base_url, deps.allowLoopbackTargets)
  if (fault) throw new Refusal('INVALID_INPUT', `transports.pull.base_url ${fault}.`, { field: 'transports.pull.base_url' })
  await saveProfile(deps.db, actorOf(caller), body, ifMatch(headers))
  return capabilities(deps, caller)
}

async function capabilities({ db, secrets }: Deps, { entity }: Call['caller']): Promise<Reply> {
  const conformance = await readConformance(db, entity)
  const { pull } = conformance.profile.transports
  const lacksSecret = pull !== undefined && !(await hasSecret(db, secrets, entity, pull.secret_ref))
  const reply: Capabilities = {
    ...conformance.profile,
    conformance_level: conformanceLevel(conformance),
    next_level: nextLevel(conformance),
    ...(lacksSecret ? { warnings: [secretMissing(pull.secret_ref)] } : {}),
  }
  return ok(reply, etagOf(conformance.profile))
}

/** Refuses members that repeat the path or the credential but do not agree with them. */
function contradiction(member: string, sent: string | undefined, own: string): Fault[] {
  if (sent === undefined || sent === own) return []
  return [{ error_code: 'INVALID_INPUT', field: member, message: `${member} is ${own} here; ${sent} was sent.` }]
}

/** Warns that no calls are made, and orders wait, until the secret is set (choices, Secrets). */
function secretMissing(name: string): NonNullable<Capabilities['warnings']>[number] {
  const message = `There is no secret ${name}; PUT /me/secrets/${name} before anything is called.`
  return { code: PROFILE_WARNING, field: 'transports.pull.secret_ref', message }
}

/** Returns a name that the seller chooses in the path, with the usual length limit, since it becomes part of an index. */
function nameOf(params: Call['params'], field: 'agreement_id' | 'buyer_entity'): string {
  const name = params[field] ?? ''
  if (Name.safeParse(name).success) return name
  throw new Refusal('INVALID_INPUT', `${field} has ${name.length} characters; 1 to 200 are allowed.`, { field })
}

function noSuchAgreement(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such agreement.')
}
