import { isGrpcServiceError } from '@temporalio/client'

/** Nothing is wrong with the call, and Temporal has not answered it: it was away, or too slow. */
export function isUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return UNREACHABLE.includes(at.code)
  return false
}

/** gRPC's CANCELLED, DEADLINE_EXCEEDED and UNAVAILABLE. */
const UNREACHABLE: readonly number[] = [1, 4, 14]
