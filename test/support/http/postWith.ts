import type { Market, Tenant } from '../market.ts'

/** Sends a POST of a tenant with additional headers. */
export function postWith(market: Market, { token }: Pick<Tenant, 'token'>, path: string, headers: Record<string, string>, body: object) {
  return market.request.post(`/v1${path}`).auth(token, { type: 'bearer' }).set(headers).type('application/json').send(body)
}
