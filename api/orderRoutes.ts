import type { Endpoint } from './endpoint.ts'
export const ORDER_ENDPOINTS: readonly Endpoint[] = []
