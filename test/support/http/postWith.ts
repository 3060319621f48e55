import type { Market, Tenant } from '../market.ts'

/** A POST of a tenant with headers of its own. */
export function postWith(market: Market, { token }: Pick<Tenant, 'token'>, path: string, headers: Record<string, string>, body: object) {
  return market.request.post(`/v1${path}`).auth(token, { type: 'bearer' }).set(headers).type('application/json').send(body)
}
