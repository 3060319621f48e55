import { ROUTES } from '../../../api/routes.ts'
import { SIDE_SCOPES, type Side } from '../../../src/contract/vocabulary/access.ts'
import { lapse } from '../../../src/domain/order/lapse.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { ruled } from '../../../src/operations/orders/decideByRules.ts'
import { newId } from '../../../src/store/connection/newId.ts'
import { CSV, uploaded } from '../files/uploads.ts'
import type { Market } from '../market.ts'
import { parsed, sheetOf } from './documentOrders.ts'
import type { Entry, ModelCommand, ModelOrder, Said } from './orderModel.ts'
import { documentOf, sheetOfRows } from './readTables.ts'

/** An order as the commands of the reference model reach it: its id, and the asks of its create by place. */
export interface Handle {
  orderId: string
  unitIds: string[]
}

/** Creates the order of the model as a buyer does. */
export async function create(market: Market, post: Post, { kind, auto, lines }: ModelOrder): Promise<Handle> {
  const { line_items: _, ...order } = market.order()
  // This product has no inventory, as the avail of its one week says.
  const unsold = { unit_cost: 99.99, locked_rate_id: market.price('weekend', '2030-W24') }
  const weekend = { product_id: 'weekend', period: { grain: 'week', start: '2030-W24' } }
  const line_items = lines.map(({ units }) => (kind === 'sellable' ? market.line({ units }) : market.line({ ...weekend, units }, unsold)))
  const band = auto ? { acceptance_band: { metric: 'budget', tolerance_pct: 0, action: 'auto_accept' } } : {}
  const asked =
    kind === 'proposal'
      ? { request: { request_type: 'specs', budget_gross: BUDGET, ...band } }
      : kind === 'document'
        ? { document: { upload_id: await uploadOf(market), format: 'csv' } }
        : { line_items }
  const said = await post('buyer', '/orders', { ...order, ...asked })
  if ('refused' in said) throw new Error(`an order was refused with ${said.refused}`)
  const orderId = String(said.done.order_id)
  return { orderId, unitIds: await asksOf(market, orderId) }
}

const BUDGET = 20_000

/** Returns the one upload of a market's document orders: the model, not the upload, determines what is read from it. */
function uploadOf(market: Market): Promise<string> {
  const upload = UPLOADS.get(market) ?? uploaded(market, market.acme, CSV, 'csv')
  UPLOADS.set(market, upload)
  return upload
}
const UPLOADS = new WeakMap<Market, Promise<string>>()

async function asksOf(market: Market, orderId: string): Promise<string[]> {
  const order = await market.deps.orders.load(orderId)
  return (order?.lines ?? []).filter((line) => line.in_response_to === undefined).map(({ unit_id }) => unit_id)
}

/** Posts a body to a path of /v1 and returns the answer, over HTTP or straight from the handler. */
export type Post = (side: Side, path: string, body: Record<string, unknown>) => Promise<Said>

/** Posts as any client would, with every reply checked against the contract. */
export function overHttp(market: Market): Post {
  return async (side, path, body) => {
    const reply = await (side === 'buyer' ? market.acme : market.cable).post(path, body)
    return reply.status < 300 ? { done: reply.body } : { refused: reply.body.error_code }
  }
}

/** Posts without HTTP and authentication, for thousands of commands in seconds. The route reads the body and answers. */
export function straight(market: Market): Post {
  const entities = { buyer: 'acme', seller: 'cable' }
  return async (side, path, sent) => {
    const route = ROUTES.find(({ endpoint }) => endpoint.method === 'post' && patternOf(endpoint.path).test(path))
    if (route === undefined) throw new Error(`no endpoint takes a post to ${path}`)
    const params = { order_id: path.split('/').at(-2) ?? '' }
    const caller = {
      credential_id: side,
      entity: entities[side],
      side,
      gate: 'api' as const,
      scopes: new Set(SIDE_SCOPES[side]),
      source_ip: null,
      expires_at: null,
    }
    try {
      const ask = { caller, params, raw: Buffer.from(JSON.stringify(sent)), headers: {}, disconnectSignal: stays }
      const reply = await route.bindQuery({})(market.deps, ask)
      return { done: typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body }
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.code }
      throw error
    }
  }
}

const stays = () => new AbortController().signal

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
}

/** Sends one command to the service as its sender does: the buyer, the seller, or the workflow. */
export async function give(market: Market, post: Post, { orderId, unitIds }: Handle, command: ModelCommand): Promise<Said> {
  const { orders } = market.deps
  switch (command.do) {
    case 'validate':
      return { done: { status: await market.validate(orderId) } }
    case 'decide': {
      const asks = unitIds.length > 0 || command.entries.length === 0 ? unitIds : await asksOf(market, orderId) // a plan's lines come later
      const units = command.entries.flatMap((entry, place) => unitOf(entry, asks[place] ?? 'unit_none'))
      return post('seller', `/me/orders/${orderId}/decide`, { decision: command.decision, actor: command.actor, units })
    }
    case 'rule': {
      const rules = ruled([{ id: 'all', when: {}, then: command.verdict }])
      const before = await orders.load(orderId)
      const derived = { id: `order:${orderId}:rules:${before?.last_seq}`, wake: false }
      return { done: { ...(await applyCommand(orders, orderId, derived, rules)) } }
    }
    case 'plan': {
      const { name, units, expensive } = command
      const plan_totals = { gross: expensive ? BUDGET + 1 : BUDGET }
      const line_items = units.map((count) => market.line({ units: count }))
      return post('seller', `/me/orders/${orderId}/plan`, { plan_id: name, line_items, plan_totals, expires_at: LATER })
    }
    case 'parse': {
      const sheet = sheetOf(...command.units.map((count) => ({ Units: count })))
      const rows = sheet.rows.map((row) => row.map((value) => String(value ?? '')))
      const read = documentOf([sheetOfRows(rows)]) ?? { unreadable: 'it has no lines' }
      return { done: { status: await parsed(market, orderId, read) } }
    }
    case 'confirm': {
      const { action, plan, reason } = command
      const more = { ...(plan === null ? {} : { plan_id: plan }), ...(reason ? { reason: 'Too expensive' } : {}) }
      return post('buyer', `/orders/${orderId}/confirm`, { action, actor: 'Bea', ...more })
    }
    case 'respond': {
      const as_of = command.late ? { as_of: LATER } : {}
      return post('buyer', `/orders/${orderId}/respond`, { action: command.action, ...as_of })
    }
    case 'lapse':
      return { done: { ...(await applyCommand(orders, orderId, { id: newId('cmd_'), wake: false }, (order) => lapse(order, LATER))) } }
    case 'cancel':
      return post('buyer', `/orders/${orderId}/cancel`, {})
  }
}

/** The time at which every quote has lapsed, and until which plans are valid. */
const LATER = '2099-01-01T00:00:00.000Z'

function unitOf(entry: Entry, unit_id: string): object[] {
  if (entry === null) return []
  if (typeof entry === 'number') return [{ unit_id, action: 'accept', num_accepted: entry }]
  if (typeof entry === 'string') return [{ unit_id, action: entry }]
  return [{ unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: entry.counter / 100 } }]
}

/** Returns whether an answer is the model's; the model states only a part of a reply. */
export function agrees(said: Said, expected: Said): boolean {
  if ('refused' in expected || 'refused' in said) return 'refused' in expected && 'refused' in said && expected.refused === said.refused
  return Object.entries(expected.done).every(([member, value]) => said.done[member] === value)
}
