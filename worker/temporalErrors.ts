import { isGrpcServiceError } from '@temporalio/client'

/** Returns Temporal's gRPC status code, or undefined for any other error. The client wraps some replies, the native connection none. */
export function grpcCode(error: unknown): number | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at.code
  return undefined
}

/**
 * Whether Temporal replied that this caller lacks permission or that the service does not exist: PERMISSION_DENIED, UNIMPLEMENTED or
 * UNAUTHENTICATED. Temporal Cloud has no operator service, and the time-skipping server has neither schedules nor a search.
 */
export function isForbidden(error: unknown): boolean {
  return isOneOf(FORBIDDEN, error)
}

/** Whether Temporal did not answer a correct call because it was away or too slow (CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE). */
export function isUnreachable(error: unknown): boolean {
  return isOneOf(UNREACHABLE, error)
}

function isOneOf(codes: readonly number[], error: unknown): boolean {
  const code = grpcCode(error)
  return code !== undefined && codes.includes(code)
}

export const NOT_FOUND = 5
export const ALREADY_EXISTS = 6
const FORBIDDEN: readonly number[] = [7, 12, 16]
const UNREACHABLE: readonly number[] = [1, 4, 14]
