import type { FreshTenant, MakeTenant } from '../../../src/contract/sandbox.ts'
import { FRESH_PER_DAY } from '../../../src/contract/vocabulary/bounds.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { makeFreshTenant } from '../../../src/store/tenants/freshTenants.ts'
import type { Handler } from '../../http/handler.ts'

/** POST /sandbox/tenants: each call makes another tenant. */
export const postTenant: Handler<MakeTenant> = async ({ db }, { caller, body }) => {
  const { side } = body
  const tenant = newId('fresh_')
  const made = await makeFreshTenant(db, { tenant, side, name: body.name ?? tenant, made_by: caller.credential_id })
  if (made === undefined) {
    const message = `A credential may make ${FRESH_PER_DAY} tenants in 24 hours.`
    throw overLimit({ limit: 'fresh tenants', most: FRESH_PER_DAY, window_s: DAY_S }, message, HOUR_S)
  }
  return { status: 201, body: { ...made, side } satisfies FreshTenant }
}

const DAY_S = 86_400
const HOUR_S = 3_600
