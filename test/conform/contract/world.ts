import { type Holds, NotHeld, type Story } from '../../../src/conform/story.ts'
import { checkReply } from '../../support/http/contract.ts'
import type { Market } from '../../support/market.ts'

/** The marketplace as the contract suite reaches it: by HTTP at an address, which may be that of a faulty proxy. */
export interface ContractWorld {
  /** Does what a worker does beside the API: validates orders, and knows what is published. */
  readonly market: Market
  readonly acme: Caller
  readonly zenith: Caller
  readonly cable: Caller
  readonly station: Caller
  readonly nobody: Caller
  /** What the replies have shown so far. */
  readonly met: Met
}

export interface Met {
  /** As `POST /orders/{order_id}/decide`. */
  readonly operations: Set<string>
  readonly statuses: Set<number>
  readonly codes: Set<string>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any operation, or an error
  readonly body: any
}

export interface Caller {
  get(path: string): Promise<Reply>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  put(path: string, body: unknown, contentType?: string): Promise<Reply>
  delete(path: string): Promise<Reply>
}

export type ContractStory = Story<ContractWorld>

export function openContractWorld(market: Market, baseUrl: string): ContractWorld {
  const met: Met = { operations: new Set(), statuses: new Set(), codes: new Set() }
  const caller = (token: string): Caller => {
    const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
      const sent = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
      const type = { 'content-type': 'application/json', ...headers }
      const init = { method, headers: { authorization: `Bearer ${token}`, ...(body !== undefined && type), ...headers } }
      const answer = await fetch(`${baseUrl}${path}`, { ...init, ...(sent !== undefined && { body: sent as string }) })
      const reply = { status: answer.status, headers: answer.headers, text: await answer.text() }
      return noted(met, method, path, reply)
    }
    return {
      get: (path) => send('GET', path),
      post: (path, body, headers) => send('POST', path, body, headers),
      put: (path, body, type) => send('PUT', path, body, type === undefined ? {} : { 'content-type': type }),
      delete: (path) => send('DELETE', path),
    }
  }
  const { acme, zenith, cable, station } = market
  return {
    ...{ market, met, nobody: caller('omp_test_nobody') },
    ...{ acme: caller(acme.token), zenith: caller(zenith.token), cable: caller(cable.token), station: caller(station.token) },
  }
}

/** Every reply has to be one that the contract documents, to its last member. */
function noted(met: Met, method: string, path: string, { status, headers, text }: Omit<Reply, 'body'>): Reply {
  try {
    checkReply(method, path, { status, headers: Object.fromEntries(headers), text })
  } catch (error) {
    throw new NotHeld(String((error as Error).message).slice(0, 300), 'reply as docs/openapi.json says')
  }
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  const body = isJson && text !== '' ? JSON.parse(text) : {}
  met.operations.add(`${method} ${path.split('?')[0]}`)
  met.statuses.add(status)
  if (body.error_code !== undefined) met.codes.add(body.error_code)
  for (const { error_code } of body.errors ?? []) met.codes.add(error_code)
  for (const { error } of body.events ?? []) if (error !== undefined) met.codes.add(error.error_code)
  return { status, headers, text, body }
}

/** Fails unless two values are equal as JSON. */
export function same(found: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (one !== other) throw new NotHeld(`${what} is ${one}, not ${other}`, 'reply as the contract says')
}

/** Returns the body of a reply that has this status. */
export function ok({ status, body, text }: Reply, wanted: number): Reply['body'] {
  if (status !== wanted) throw new NotHeld(`the reply is ${status}, not ${wanted}: ${text.slice(0, 200)}`, 'reply as the contract says')
  return body
}

/** Returns the details of a refusal with this status and code; `details` have to be among them. */
export function refused({ status, body, text }: Reply, wanted: number, code: string, details: Record<string, unknown> = {}): Reply['body'] {
  if (status !== wanted || body.error_code !== code)
    throw new NotHeld(
      `the reply is ${status} ${body.error_code}, not ${wanted} ${code}: ${text.slice(0, 200)}`,
      'refuse as the contract says',
    )
  for (const [name, value] of Object.entries(details)) same(body.details[name], value, `details.${name}`)
  return body.details
}

export const story = (
  id: string,
  title: string,
  link: string,
  run: (world: ContractWorld, holds: Holds) => Promise<void>,
): ContractStory => ({
  ...{ id: `contract.${id}`, title, link: `docs/contract/${link}`, run },
})

/** Creates an order through the caller and validates it as its workflow does. */
export async function parked({ acme, market }: ContractWorld, more: Record<string, unknown> = {}): Promise<string> {
  const { order_id } = ok(await acme.post('/orders', market.order(more)), 201)
  await market.validate(order_id)
  return order_id
}
