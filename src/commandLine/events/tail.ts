import { readFile } from 'node:fs/promises'
import { type Event, type EventsOptions, isOrderEvent } from '../../../client/src/index.ts'
import { UsageFault } from '../exits.ts'
import { lineOfEvent } from '../orders/read.ts'
import { say, write } from '../output.ts'
import { keepPrivate } from '../profiles.ts'
import type { Session } from '../session.ts'

/** The longest wait of one read of the feed. */
const WAIT_S = 25

/** Prints the feed until it is stopped. Names or keeps a checkpoint only for events that have been written, so that nothing is lost. */
export async function tail(session: Session, options: TailOptions): Promise<void> {
  const { keep, limit = Number.POSITIVE_INFINITY } = options
  const client = await session.client()
  let checkpoint = checked((keep === undefined ? undefined : await keptIn(keep)) ?? options.after)
  let count = 0
  try {
    for await (const item of client.events(feedOf(options, checkpoint, session.signal))) {
      await write(session.json ? `${JSON.stringify(item.event)}\n` : `${feedLine(item.event)}\n`)
      checkpoint = item.checkpoint
      if (keep !== undefined) await keepCheckpoint(keep, checkpoint)
      if (++count >= limit) break
    }
  } catch (error) {
    if (!session.signal.aborted) throw error
  } finally {
    if (keep === undefined && count > 0) say(`Go on with --after '${checkpoint}'`)
  }
}

/** Fails if a checkpoint is only part of one. Whether a cursor is one, the service says. */
export function checked(checkpoint: string | undefined): string | undefined {
  if (checkpoint?.startsWith('{') !== true) return checkpoint
  try {
    if (Array.isArray((JSON.parse(checkpoint) as { had?: unknown }).had)) return checkpoint
  } catch {
    // the sentence below covers this
  }
  throw new UsageFault(`${JSON.stringify(checkpoint)} is not a checkpoint: copy it whole, in quotes.`)
}

function feedOf({ events, statuses, once }: TailOptions, from: string | undefined, signal: AbortSignal): EventsOptions {
  return {
    ...(from !== undefined && { from }),
    // The service says which it knows.
    ...(events && { events: events as NonNullable<EventsOptions['events']> }),
    ...(statuses && { statuses: statuses as NonNullable<EventsOptions['statuses']> }),
    waitSeconds: once === true ? 0 : WAIT_S,
    signal,
  }
}

async function keptIn(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new UsageFault(`${file} cannot be read (${code}).`)
  }
}

async function keepCheckpoint(file: string, checkpoint: string): Promise<void> {
  await keepPrivate(file, `${checkpoint}\n`).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageFault(`The checkpoint cannot be kept in ${file} (${code}); what follows the last one kept is printed again.`)
  })
}

/** Returns an event of the feed as a line for people. */
export function feedLine(event: Event): string {
  if (isOrderEvent(event)) return `${event.order_id}  ${lineOfEvent(event)}`
  const { event_type, event_id, occurred_at, data } = event as {
    event_type: string
    event_id?: string
    occurred_at?: string
    data?: unknown
  }
  return `${event_id ?? ''}  ${occurred_at ?? ''}  ${event_type}  ${JSON.stringify(data ?? {})}`
}

export interface TailOptions {
  readonly after?: string
  readonly keep?: string
  readonly events?: string[]
  readonly statuses?: string[]
  readonly limit?: number
  readonly once?: boolean
}
