import {
  OpsConnectionList,
  OpsConnectionQuery,
  OpsDeliveryQuery,
  OpsDropList,
  OpsDropQuery,
  OpsEndpointList,
  OpsMailList,
  OpsMailQuery,
  OpsOrderList,
  OpsOrderQuery,
  OpsOrderRead,
  WokenOrder,
} from '../ops.ts'
import { OpsHealth } from '../opsHealth.ts'
import { Delivery, DeliveryList, DeliveryListQuery } from '../webhook.ts'
import { auditOf } from './audit.ts'
import { endpoint, named } from './endpoint.ts'

const read = { side: 'operator', scope: 'ops:read', method: 'get' } as const
const act = { side: 'operator', scope: 'ops:write', method: 'post' } as const

/** The endpoints of operators: they see all tenants, but not what tenants write to each other. */
export const OPS = named({
  getOpsHealth: endpoint({
    ...read,
    path: '/ops/health',
    summary: 'Get the health of the marketplace',
    description:
      'Returns what waits and how old it is: orders, the outbox, the feed, deliveries, mails, drops; and the workers and schedules as they last reported.',
    replies: { 200: OpsHealth },
  }),
  listOpsOrders: endpoint({
    ...read,
    path: '/ops/orders',
    summary: 'List orders that need an operator',
    description: 'Returns the orders of every tenant that are open, stuck or overdue, without lines, prices and names.',
    query: OpsOrderQuery,
    replies: { 200: OpsOrderList },
  }),
  getOpsOrder: endpoint({
    ...read,
    path: '/ops/orders/:order_id',
    summary: 'Get an order as operators see it',
    description:
      'Returns one order of any tenant, ended or not, with its timeline: when it moved and by which kind of decision, without its content.',
    replies: { 200: OpsOrderRead },
    errors: ['NOT_FOUND'],
  }),
  wakeOrder: endpoint({
    ...act,
    path: '/ops/orders/:order_id/wake',
    summary: 'Wake the run of an order',
    description:
      'Makes the run of an order look at its log again, and starts it if it is gone. It decides nothing and changes nothing of the order: a look that finds ' +
      'nothing to do has no effect. While a look is waiting, a repeat adds none. Every call is in the audit log.',
    replies: { 202: WokenOrder },
    errors: ['NOT_FOUND'],
  }),
  listOpsDeliveries: endpoint({
    ...read,
    path: '/ops/deliveries',
    summary: 'List webhook endpoints with a backlog or failures',
    description:
      'Returns the webhook endpoints of every tenant whose deliveries wait or fail, by endpoint_id, with the host of their URL alone.',
    query: OpsDeliveryQuery,
    replies: { 200: OpsEndpointList },
  }),
  listEndpointDeliveries: endpoint({
    ...read,
    path: '/ops/deliveries/:endpoint_id',
    summary: 'List the deliveries of an endpoint of a tenant',
    description: 'Returns the deliveries of one endpoint with their attempts, newest first, for 30 days. What was sent is not included.',
    query: DeliveryListQuery,
    replies: { 200: DeliveryList },
    errors: ['NOT_FOUND'],
  }),
  resendDelivery: endpoint({
    ...act,
    path: '/ops/deliveries/:endpoint_id/:delivery_id/resend',
    summary: 'Send a delivery of a tenant again',
    description:
      'Sends the event of one delivery again to the same endpoint, as a new delivery with the same event_id. It does not wait for the receiver. Each call ' +
      'sends it once more, and is in the audit log.',
    replies: { 202: Delivery },
    errors: ['INVALID_STATE', 'NOT_FOUND'],
  }),
  listOpsDrops: endpoint({
    ...read,
    path: '/ops/drops',
    summary: 'List file drops',
    description: 'Returns the file drops of every seller with their stage and counts, without the contents of files.',
    query: OpsDropQuery,
    replies: { 200: OpsDropList },
  }),
  listOpsMails: endpoint({
    ...read,
    path: '/ops/mails',
    summary: 'List order mails that wait or failed',
    description:
      'Returns the order mails of every tenant that are not sent yet or did not arrive, with the reason, without addresses and documents.',
    query: OpsMailQuery,
    replies: { 200: OpsMailList },
  }),
  listOpsConnections: endpoint({
    ...read,
    path: '/ops/connections',
    summary: "List sellers' own APIs",
    description: 'Returns the sellers that declare an API of their own, by name, with what came of asking it about the orders that wait.',
    query: OpsConnectionQuery,
    replies: { 200: OpsConnectionList },
  }),
  listOpsAudit: auditOf('operator', '/ops/audit'),
})
