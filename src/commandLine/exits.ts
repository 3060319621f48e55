import { CommanderError } from 'commander'
import { MarketplaceError, NoAnswerError } from '../../client/src/index.ts'
import { DropFault } from '../sdk/dropClient/dropFault.ts'

/** The exit statuses of every command. */
export const EXIT = { done: 0, refused: 1, misused: 2, unreachable: 3, interrupted: 130, brokenPipe: 141 } as const

/** The command was used wrongly: an argument, a file or a profile is not what it must be. The message is one sentence. */
export class UsageFault extends Error {
  override name = 'UsageFault'
}

/** What was asked for was not done, for a reason that is not the service's refusal of a request. The message is one sentence. */
export class RefusedFault extends Error {
  override name = 'RefusedFault'
}

/** A refusal of what a file holds: where in the file each fault is. */
export class FileRefusal extends Error {
  override name = 'FileRefusal'
  readonly refusal: MarketplaceError
  readonly places: readonly string[]

  constructor(refusal: MarketplaceError, places: readonly string[]) {
    super(refusal.message)
    this.refusal = refusal
    this.places = places
  }
}

/** Ctrl-C, or another signal to stop, before the command was done. */
export class Interrupted extends Error {
  override name = 'Interrupted'

  constructor(message = 'Stopped before it was done.') {
    super(message)
  }
}

/** The reader of the output has closed it, or it cannot be written. What was written before stands. */
export class OutputFault extends Error {
  override name = 'OutputFault'
  readonly isBrokenPipe: boolean

  constructor({ code = 'unknown reason' }: NodeJS.ErrnoException) {
    const isBrokenPipe = code === 'EPIPE'
    super(isBrokenPipe ? 'The reader of the output has closed it.' : `The output cannot be written (${code}).`)
    this.isBrokenPipe = isBrokenPipe
  }
}

export interface Failure {
  status: number
  /** Sentences for standard error, a line each. */
  lines: readonly string[]
  /** What `--json` prints: the service's own envelope if there is one. */
  json: unknown
}

/** Returns how a command that failed ends. A fault of the command itself is shown with its stack. */
export function failureOf(error: unknown): Failure {
  if (error instanceof MarketplaceError) return refusal(error)
  if (error instanceof FileRefusal) {
    const { lines, ...rest } = refusal(error.refusal)
    return { ...rest, lines: [lines[0] ?? error.message, ...error.places] }
  }
  const { message } = error as Error
  const status = statusOf(error)
  if (status === undefined)
    return { status: EXIT.refused, lines: [(error as Error).stack ?? String(error)], json: { error_message: message } }
  return { status, lines: [message], json: { error_message: message } }
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof NoAnswerError) return EXIT.unreachable
  if (error instanceof UsageFault) return EXIT.misused
  if (error instanceof DropFault) return { caller: EXIT.misused, marketplace: EXIT.refused, connection: EXIT.unreachable }[error.of]
  if (error instanceof RefusedFault) return EXIT.refused
  if (error instanceof Interrupted) return EXIT.interrupted
  if (error instanceof OutputFault) return error.isBrokenPipe ? EXIT.brokenPipe : EXIT.refused
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused
  return undefined
}

/** One line for a refusal with one fault, and one for each of several. */
function refusal({ message, errors, requestId, text }: MarketplaceError): Failure {
  const places = errors.length < 2 ? [] : errors.map(({ pointer = '', message: why }) => `  ${pointer === '' ? '' : `${pointer}: `}${why}`)
  const lines = [`${message}${requestId === undefined ? '' : ` [request ${requestId}]`}`, ...places]
  return { status: EXIT.refused, lines, json: jsonOr(text, message) }
}

function jsonOr(text: string, message: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { error_message: message }
  }
}
