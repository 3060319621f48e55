import { AGREEMENT_ENDPOINTS } from './agreementRoutes.ts'
import { AUDIT_ENDPOINTS } from './auditRoutes.ts'
import type { Endpoint } from './endpoint.ts'
import { EVENT_ENDPOINTS } from './eventRoutes.ts'
import { HOLD_ENDPOINTS } from './holdRoutes.ts'
import { ORDER_ENDPOINTS } from './orderRoutes.ts'
import { PUBLISHING_ENDPOINTS } from './publishingRoutes.ts'
import { REGISTRY_ENDPOINTS } from './registryRoutes.ts'
import { WEBHOOK_ENDPOINTS } from './webhookRoutes.ts'

/** The endpoints of /v1 by what they are about: a tag of the OpenAPI document each. */
export const ENDPOINT_GROUPS: readonly { tag: string; about: string; endpoints: readonly Endpoint[] }[] = [
  { tag: 'Publishing and discovery', about: 'What sellers publish, and what buyers read of it.', endpoints: PUBLISHING_ENDPOINTS },
  { tag: 'Relations', about: 'Agreements, grants, capabilities, approval rules, credit and pacing.', endpoints: AGREEMENT_ENDPOINTS },
  { tag: 'Registries', about: 'Creatives and uploads that orders refer to.', endpoints: REGISTRY_ENDPOINTS },
  { tag: 'Holds', about: 'Inventory that a buyer keeps for a while.', endpoints: HOLD_ENDPOINTS },
  { tag: 'Orders', about: 'Orders of both sides: placing, deciding, negotiating, canceling, reading.', endpoints: ORDER_ENDPOINTS },
  { tag: 'Webhooks', about: 'Endpoints that events are posted to, and the log of deliveries.', endpoints: WEBHOOK_ENDPOINTS },
  { tag: 'Events', about: 'Replay of an order, the feed of a tenant, delivery to a message queue.', endpoints: EVENT_ENDPOINTS },
  { tag: 'Audit', about: 'Who changed what for a tenant, and who was refused.', endpoints: AUDIT_ENDPOINTS },
]

/** Every endpoint of /v1. The router, the OpenAPI document and the access matrix test all run over this table. */
export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_GROUPS.flatMap(({ endpoints }) => endpoints)
