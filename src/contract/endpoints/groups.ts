import { ACCESS } from './access.ts'
import { AUDIT } from './audit.ts'
import { DROPS } from './drops.ts'
import { EDI } from './edi.ts'
import type { Endpoint, Named } from './endpoint.ts'
import { EVENTS } from './events.ts'
import { HOLDS } from './holds.ts'
import { MAKEGOODS } from './makegoods.ts'
import { OPS } from './ops.ts'
import { ORDERS } from './orders.ts'
import { PUBLISHING } from './publishing.ts'
import { RECONCILIATION } from './reconciliation.ts'
import { REGISTRIES } from './registries.ts'
import { RELATIONS } from './relations.ts'
import { SANDBOX } from './sandbox.ts'
import { SEARCH } from './search.ts'
import { SETTLEMENT } from './settlement.ts'
import { WEBHOOKS } from './webhooks.ts'

/** The endpoints of /v1 by topic; each group is a tag of the OpenAPI document. */
export const ENDPOINT_GROUPS: readonly { tag: string; about: string; endpoints: readonly Named<Endpoint>[] }[] = [
  { tag: 'Publishing and discovery', about: 'What sellers publish, and what buyers read of it.', endpoints: Object.values(PUBLISHING) },
  { tag: 'File drops', about: 'Catalogs, rate cards, avails and posts as files.', endpoints: Object.values(DROPS) },
  { tag: 'Relations', about: 'Agreements, grants, capabilities, approval rules, credit and pacing.', endpoints: Object.values(RELATIONS) },
  { tag: 'Registries', about: 'Creatives and uploads that orders refer to.', endpoints: Object.values(REGISTRIES) },
  { tag: 'Holds', about: 'Inventory that a buyer keeps for a while.', endpoints: Object.values(HOLDS) },
  { tag: 'Orders', about: 'Orders of both sides: placing, deciding, negotiating, canceling, reading.', endpoints: Object.values(ORDERS) },
  { tag: 'Order documents', about: "Mails of placed orders to agencies' billing systems.", endpoints: Object.values(EDI) },
  { tag: 'Settlement', about: 'Invoices and credit notes on cleared trades.', endpoints: Object.values(SETTLEMENT) },
  {
    tag: 'Reconciliation',
    about: 'How what aired and was billed differs from what was ordered.',
    endpoints: Object.values(RECONCILIATION),
  },
  { tag: 'Makegoods', about: 'Spots that do not air, and others that are offered for them.', endpoints: Object.values(MAKEGOODS) },
  { tag: 'Webhooks', about: 'Endpoints that events are posted to, and the log of deliveries.', endpoints: Object.values(WEBHOOKS) },
  { tag: 'Events', about: 'Replay of an order, the feed of a tenant, delivery to a message queue.', endpoints: Object.values(EVENTS) },
  { tag: 'Search', about: 'Orders, products and partners by words.', endpoints: Object.values(SEARCH) },
  {
    tag: 'Sandbox',
    about: 'What a sandbox has beyond a marketplace: orders on demand, fresh tenants, time, mails.',
    endpoints: Object.values(SANDBOX),
  },
  { tag: 'Access', about: 'What a credential may do, and which requests were refused.', endpoints: Object.values(ACCESS) },
  { tag: 'Audit', about: 'Who changed what for a tenant, and who was refused.', endpoints: Object.values(AUDIT) },
  {
    tag: 'Operations',
    about: 'For those who run the marketplace: what waits, what is stuck, and how to move it.',
    endpoints: Object.values(OPS),
  },
]

/** Every endpoint of /v1 by its name, with its types. */
export const OPERATIONS = {
  ...PUBLISHING,
  ...DROPS,
  ...RELATIONS,
  ...REGISTRIES,
  ...HOLDS,
  ...ORDERS,
  ...EDI,
  ...SETTLEMENT,
  ...RECONCILIATION,
  ...MAKEGOODS,
  ...WEBHOOKS,
  ...EVENTS,
  ...SEARCH,
  ...SANDBOX,
  ...ACCESS,
  ...AUDIT,
  ...OPS,
}

/** Every endpoint of /v1. The router, the OpenAPI document and the test of the access matrix all use this table. */
export const ENDPOINTS: readonly Named<Endpoint>[] = ENDPOINT_GROUPS.flatMap(({ endpoints }) => endpoints)
