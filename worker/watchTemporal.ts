import type { Client } from '@temporalio/client'
import { TEMPORAL_REACHABLE } from '../src/metrics/work.ts'
import { inTime } from './inTime.ts'
import { repeat } from './repeat.ts'
import { settable } from './settable.ts'
import { isForbidden, isNamespaceUnknown } from './temporalErrors.ts'

/** What a look has seen. */
export type Seen = Reached | Lost

interface Reached {
  readonly reachable: true
  /** Differs each time that a namespace is made; undefined if Temporal does not tell it. */
  readonly namespaceId: string | undefined
}

interface Lost {
  readonly reachable: false
  /** Whether Temporal answers and does not have the namespace. */
  readonly unknown: boolean
  readonly fault?: unknown
}

export interface TemporalWatch {
  /** Returns what the last look has seen; undefined before the first. */
  seen(): Seen | undefined
  /** Resolves when a look sees something else than now. */
  changed(): Promise<void>
  /** Whether Temporal answered the last look and knows the namespace; true before the first. */
  reachable(): boolean
  stop(): Promise<void>
}

interface WatchDeps {
  readonly client: Pick<Client, 'workflowService' | 'options' | 'withDeadline'>
  /** Milliseconds between two looks. */
  readonly pause?: number
  readonly logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

/**
 * Looks every two seconds, and four times as often while it is lost, whether this worker reaches Temporal, and whether Temporal knows its namespace, and shows it as
 * `temporal_reachable`. A namespace is looked up in Temporal's store, since its services answer for one that is gone for a while. Logs a
 * sentence when it is lost and one when it is back.
 */
export function watchTemporal({ client, pause = 2_000, logger }: WatchDeps): TemporalWatch {
  const { namespace } = client.options
  let seen: Seen | undefined
  let change = settable()
  const look = async () => {
    const next = await inTime(client, CALL_MS, () => client.workflowService.describeNamespace({ namespace })).then(seenIn, seenBy)
    TEMPORAL_REACHABLE.set(next.reachable ? 1 : 0)
    const last = seen
    seen = next
    if (last !== undefined && isSame(last, next)) return
    if (!next.reachable) tellLost(next)
    else if (last?.reachable === false) logger.info('Temporal answers again')
    change.resolve()
    change = settable()
  }
  const tellLost = ({ unknown, fault }: Lost): void => {
    if (unknown) logger.warn(`Temporal does not know the namespace ${namespace}; ${makeNamespace(namespace)}`, { namespace })
    else logger.warn('Temporal does not answer', { error: fault })
  }
  const looking = repeat(
    () => (seen?.reachable === false ? pause / 4 : pause),
    look,
    () => undefined,
  )
  return {
    seen: () => seen,
    changed: () => change.happened,
    reachable: () => seen?.reachable ?? true,
    stop: () => looking.stop(),
  }
}

/** The longest that one look waits, the connection's own retries included, so that a restart of one server raises no alert. */
const CALL_MS = 3_000

/** Says what to do about a namespace that is missing. Nobody has to restart a worker afterwards. */
function makeNamespace(namespace: string): string {
  return `the worker goes on once it is there: "temporal operator namespace create --namespace ${namespace}", or correct TEMPORAL_NAMESPACE`
}

function seenIn({ namespaceInfo }: { namespaceInfo?: { id?: string | null; state?: number | null } | null }): Seen {
  if (namespaceInfo?.state === DELETED) return { reachable: false, unknown: true }
  return { reachable: true, namespaceId: namespaceInfo?.id ?? undefined }
}

/** While a namespace is being deleted it is still found (temporal.api.enums.v1.NamespaceState). */
const DELETED = 3

/** A server that does not let its workers ask for the namespace answers, and that is all that can be known. */
function seenBy(fault: unknown): Seen {
  if (isForbidden(fault)) return { reachable: true, namespaceId: undefined }
  return { reachable: false, unknown: isNamespaceUnknown(fault), fault }
}

function isSame(one: Seen, other: Seen): boolean {
  if (one.reachable) return other.reachable && one.namespaceId === other.namespaceId
  return !other.reachable && one.unknown === other.unknown
}
