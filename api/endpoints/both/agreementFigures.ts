import type { Agreement, Credit, CreditQuery, Pacing } from '../../../src/contract/agreement.ts'
import { availableCredit, statedGross } from '../../../src/domain/agreement/settlement.ts'
import { decimal, jsonNumber } from '../../../src/domain/decimal.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { invoicedGross } from '../../../src/store/settlement/invoiceReads.ts'
import { bookedGross, findAgreement } from '../../../src/store/tenants/agreements.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import type { Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { ok, type Reply } from '../../http/reply.ts'

/** Booked, invoiced and drawn figures of an agreement. Both parties read the same figures; for others the agreement does not exist. */

/** GET /agreements/{id}/pacing, and below /me. `remaining` is committed minus booked; null if nothing is committed. */
export const getPacing: Handler = async ({ db }, { caller, params }) => {
  const { agreement_id, currency, commitment_gross } = await agreementOf(db, caller, params.agreement_id)
  const [booked, invoiced] = await Promise.all([bookedGross(db, agreement_id), invoicedGross(db, agreement_id)])
  const reply: Pacing = {
    agreement_id,
    currency,
    commitment_gross: commitment_gross ?? null,
    booked_gross: statedGross({ agreement_id, currency }, booked),
    remaining: commitment_gross === undefined ? null : jsonNumber(decimal(commitment_gross).minus(booked)),
    invoiced_gross: statedGross({ agreement_id, currency }, invoiced),
    as_of: new Date().toISOString(),
  }
  return ok(reply)
}

/** GET /settlement/credit?agreement= */
export const getCredit: Handler<undefined, CreditQuery> = async ({ db }, { caller, query }) => {
  return creditOf(db, await agreementOf(db, caller, query.agreement))
}

/** GET /me/agreements/{id}/credit */
export const getGrantedCredit: Handler = async ({ db }, { caller, params }) => {
  return creditOf(db, await agreementOf(db, caller, params.agreement_id))
}

async function creditOf(db: Deps['db'], { agreement_id, currency, credit_limit }: Agreement): Promise<Reply> {
  const exposure = await readExposure(db.pool, agreement_id)
  const reply: Credit = {
    agreement_id,
    currency,
    credit_limit: credit_limit ?? null,
    exposure: statedGross({ agreement_id, currency }, exposure),
    available: credit_limit === undefined ? null : jsonNumber(availableCredit(credit_limit, exposure)),
    as_of: new Date().toISOString(),
  }
  return ok(reply)
}

/** Returns the agreement with this id, if the caller is a party to it. */
async function agreementOf(db: Deps['db'], { side, entity }: Caller, agreementId = ''): Promise<Agreement> {
  const agreement = await findAgreement(db, agreementId)
  const party = side === 'seller' ? agreement?.seller : agreement?.buyer_entity
  if (agreement === undefined || party !== entity) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  return agreement
}
