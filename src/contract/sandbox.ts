import { z } from 'zod'
import { OrderCreated } from './createOrder.ts'
import { Label, listOf, Name, Period, PositiveCount, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { SIDES } from './vocabulary/access.ts'
import { BUYER_ANSWERS, DEADLINES, DEMAND_STATUSES, ELAPSE_S, ORDER_TEMPLATES } from './vocabulary/sandbox.ts'
import { ORDER_STATUSES, SUBSTATUSES } from './vocabulary.ts'

/** What sandboxes alone take and answer (additive; choices, Sandbox). */

/** POST /sandbox/tenants. */
export const MakeTenant = z
  .object({
    side: z.enum(SIDES).meta({ description: 'Whether the tenant buys or sells.' }),
    name: Label.optional().meta({ description: 'Its name for people; its id if omitted.' }),
  })
  .meta({ id: 'MakeTenant' })
export type MakeTenant = z.infer<typeof MakeTenant>

export const FreshTenant = z
  .object({
    tenant: z.string().meta({ description: 'The id of the tenant, which no other one has had.' }),
    side: z.enum(SIDES).meta({ description: 'Whether the tenant buys or sells.' }),
    token: z.string().meta({ description: 'Its token, shown here only.' }),
    expires_at: Stamp.meta({ description: 'The UTC time at which the token ends and the tenant is gone from lists.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'FreshTenant' })
export type FreshTenant = z.infer<typeof FreshTenant>

const SandboxLine = z
  .object({ product_id: Name, period: Period, units: PositiveCount.optional().meta({ description: 'The units to order; 1 if omitted.' }) })
  .meta({ id: 'SandboxLine' })

/** POST /sandbox/orders. */
export const SandboxOrder = z
  .object({
    template: z
      .enum(ORDER_TEMPLATES)
      .default('catalog')
      .meta({ description: 'What the order has: lines, a request for a proposal, or a buysheet of the lines.' }),
    products: listOf(Name, 50)
      .min(1)
      .optional()
      .meta({ description: 'Products to order, a line each, in the first week in which each has a price.' }),
    lines: listOf(SandboxLine, 50)
      .min(1)
      .optional()
      .meta({ description: 'The lines to order, at the price of their week. Without products and lines: the first product with a price.' }),
    then: z.enum(BUYER_ANSWERS).default('accepts').meta({ description: 'What the buyer does once the order waits for it, or for you.' }),
  })
  .meta({ id: 'SandboxOrder' })
export type SandboxOrder = z.infer<typeof SandboxOrder>

const SandboxRefusal = z
  .object({ error_code: z.string(), error_message: z.string(), details: z.looseObject({}) })
  .meta({ id: 'SandboxRefusal', description: 'The refusal that the buyer met; present if it could not order.' })

/** 201 of POST /sandbox/orders, and what became of it (choices, Sandbox: orders on demand). */
export const SandboxOrderCreated = OrderCreated.partial({ order_id: true, created_at: true })
  .extend({
    external_order_id: z.string().meta({ description: 'Of the order, and of what was asked for.' }),
    status: z.enum(DEMAND_STATUSES).meta({
      description:
        'submitted once the buyer has ordered, with order_id and created_at; requested before that; refused if it could not order.',
    }),
    then: z.enum(BUYER_ANSWERS).meta({ description: 'What the buyer will do.' }),
    error: SandboxRefusal.optional(),
  })
  .meta({ id: 'SandboxOrderCreated' })
export type SandboxOrderCreated = z.infer<typeof SandboxOrderCreated>

/** POST /sandbox/orders/{order_id}/elapse. */
export const Elapse = z
  .object({
    what: z.enum(DEADLINES).meta({ description: 'The deadline that passes.' }),
    by: z
      .int()
      .min(1)
      .max(ELAPSE_S)
      .optional()
      .meta({ description: 'How far the time of the order goes on, in seconds; just past the deadline if omitted.' }),
  })
  .meta({ id: 'Elapse' })
export type Elapse = z.infer<typeof Elapse>

export const ElapsedReply = z
  .object({
    order_id: z.string(),
    status: z.enum(ORDER_STATUSES),
    substatus: z.enum(SUBSTATUSES).nullable(),
    last_seq: z.int().positive(),
    deadline: Stamp.meta({ description: 'The UTC time of the deadline, as it was set.' }),
    elapsed_s: z.int().nonnegative().meta({ description: 'How far the time of the order is ahead now, in seconds.' }),
    warnings: UnknownMembers,
  })
  .meta({ id: 'ElapsedReply' })
export type ElapsedReply = z.infer<typeof ElapsedReply>
