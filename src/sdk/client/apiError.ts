import type { ErrorEnvelope } from '../../contract/errorEnvelope.ts'
import type { ErrorCode } from '../../contract/vocabulary/codes.ts'

/** The API refused a request; the message is one sentence. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly headers: Headers
  /** The body of the reply as received. */
  readonly text: string
  /** Undefined if the reply came from a proxy instead of the API. */
  readonly envelope: ErrorEnvelope | undefined

  constructor(call: string, { status, headers, text }: RawReply) {
    const envelope = envelopeIn(text)
    super(
      `${call} was refused with ${status}: ${envelope === undefined ? text.slice(0, 200) || 'no reason was given.' : reasonIn(envelope)}`,
    )
    this.status = status
    this.headers = headers
    this.text = text
    this.envelope = envelope
  }

  get code(): ErrorCode | undefined {
    return this.envelope?.error_code
  }

  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined
  }
}

/** Reports that no reply or only part of one came, so the request may have been carried out. Send the same bytes again. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'

  constructor(call: string, cause: unknown) {
    super(`${call} was not answered (${reasonOf(cause)}).`, { cause })
  }
}

function envelopeIn(text: string): ErrorEnvelope | undefined {
  try {
    const body = JSON.parse(text) as ErrorEnvelope | null
    return typeof body?.error_code === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

function reasonIn({ error_code, error_message, details }: ErrorEnvelope): string {
  const others = (details.errors?.length ?? 1) - 1
  return `${error_code}, ${error_message}${others > 0 ? ` (and ${others} more)` : ''}`
}

/** Returns why a connection failed: fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code, message, cause, name } = error as { code?: unknown; message?: string; cause?: unknown; name?: string }
  if (typeof code === 'string') return code
  if (cause !== undefined) return reasonOf(cause)
  return name === 'TimeoutError' ? 'timeout' : (message ?? String(error))
}

/** A reply of any status, as received. */
export interface RawReply {
  status: number
  headers: Headers
  text: string
}
