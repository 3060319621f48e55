import { type Endpoint, takesJson } from '../../src/contract/endpoints/endpoint.ts'
import type { ErrorEnvelope } from '../../src/contract/errorEnvelope.ts'
import { ERROR_GUIDE } from '../../src/contract/errorGuide.ts'
import type { ErrorCode } from '../../src/contract/vocabulary/codes.ts'
import { envelopeOf } from '../../src/domain/envelope.ts'
import { Refusal } from '../../src/domain/refusal.ts'

/** Returns an operation's possible error codes: those of every operation, every body and every name in a path, and its own. */
export function operationErrors(row: Endpoint): ErrorCode[] {
  const classes = ERROR_CLASSES.flatMap(({ holds, codes }) => (holds(row) ? codes : []))
  return [...new Set<ErrorCode>([...classes, ...(row.errors ?? [])])]
}

/** Codes that follow from the kind of an operation, each class with its wording in docs/contract/error-codes.md. */
export const ERROR_CLASSES: readonly { about: string; holds: (row: Endpoint) => boolean; codes: readonly ErrorCode[] }[] = [
  {
    about: 'every operation',
    holds: () => true,
    codes: ['MALFORMED_REQUEST', 'UNAUTHENTICATED', 'FORBIDDEN', 'INVALID_INPUT', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'],
  },
  {
    about: 'every operation with a JSON body',
    holds: takesJson,
    codes: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  { about: 'every operation of sandboxes, elsewhere', holds: (row) => row.sandbox === true, codes: ['NOT_FOUND'] },
  { about: 'every operation with an id or a name in its path', holds: (row) => row.path.includes(':'), codes: ['NOT_FOUND'] },
]

/** Returns an example of a reply with this code, as the service itself renders it. */
export function errorExample(code: ErrorCode): ErrorEnvelope {
  const { error_message, details } = ERROR_GUIDE[code].example
  return envelopeOf(new Refusal(code, error_message, details))
}
