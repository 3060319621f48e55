import { AGREEMENT_ENDPOINTS } from './agreementRoutes.ts'
import { AUDIT_ENDPOINTS } from './auditRoutes.ts'
import type { Endpoint } from './endpoint.ts'
import { EVENT_ENDPOINTS } from './eventRoutes.ts'
import { HOLD_ENDPOINTS } from './holdRoutes.ts'
import { ORDER_ENDPOINTS } from './orderRoutes.ts'
import { PUBLISHING_ENDPOINTS } from './publishingRoutes.ts'
import { REGISTRY_ENDPOINTS } from './registryRoutes.ts'
import { WEBHOOK_ENDPOINTS } from './webhookRoutes.ts'

/** Every endpoint of /v1. The router, the OpenAPI document and the access matrix test all run over this table. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...PUBLISHING_ENDPOINTS,
  ...AGREEMENT_ENDPOINTS,
  ...REGISTRY_ENDPOINTS,
  ...HOLD_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
]
