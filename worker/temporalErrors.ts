import { isGrpcServiceError } from '@temporalio/client'

/** The gRPC status code that Temporal answered with, or undefined if the error is none of its answers. The client wraps some answers, the native connection none. */
export function grpcCode(error: unknown): number | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at.code
  return undefined
}

/**
 * Whether Temporal answered that this caller may not do that, or that it has no such service: PERMISSION_DENIED, UNIMPLEMENTED or
 * UNAUTHENTICATED. Temporal Cloud has no operator service, and the server that skips time has neither schedules nor a search.
 */
export function isForbidden(error: unknown): boolean {
  return isOneOf(FORBIDDEN, error)
}

/** Whether nothing is wrong with the call, but Temporal did not answer it: it was away or too slow (CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE). */
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
