import type { Endpoint } from './endpoint.ts'
export const PUBLISHING_ENDPOINTS: readonly Endpoint[] = []
