import type { DeliveryStatus } from '../../contract/vocabulary.ts'
import { type EndpointPace, hasRoomForFirst, isSlow, type OpenPost, type WaitingPost } from './nextPosts.ts'

/** A delivery that has been claimed. */
export interface ClaimedPost extends WaitingPost {
  delivery_no: string
  /** Milliseconds of its last attempt. */
  lastTook?: number | undefined
}

/**
 * What one sender knows while it works on an endpoint, as a value: the functions below make the next one of it. Times are milliseconds since 1970.
 */
export interface Round<Due extends ClaimedPost> extends EndpointPace {
  /** Claimed and not begun, retries first. */
  readonly queue: readonly Due[]
  readonly out: readonly (OpenPost & Pick<ClaimedPost, 'delivery_no'>)[]
  /** Those whose attempts in this round failed, and when they are due again, until they are claimed. */
  readonly retries: readonly Retry[]
  /** More may be due than was claimed. */
  readonly more: boolean
  readonly lookedAt: number
}

interface Retry {
  readonly delivery_no: string
  readonly dueAt: number
}

/** Deliveries of one claim. */
export const BATCH = 128
/** The least time between two looks for retries. */
const LOOK_MS = 100
/** How often a running round checks that its endpoint still wants the claimed deliveries, and which secrets sign them. */
const RELOOK_MS = 1_000
const RELOOK_SLOW_MS = 5_000
/** How long a retry that is due is looked for: the clock of the database, by which it is claimed, may be behind. After that it is left to a run. */
const LATE_MS = 1_000
/** A timer takes no longer wait than 24 days, and certainly not an endless one. */
const LONGEST_WAIT_MS = 60_000

export function newRound<Due extends ClaimedPost>(): Round<Due> {
  return { queue: [], out: [], retries: [], isFailing: false, last: undefined, lastTook: undefined, more: true, lookedAt: 0 }
}

/** Whether to query for due deliveries. Skips the query if nothing could begin anyway, so that an endpoint that hangs costs none. */
export function isLookDue(round: Round<ClaimedPost>, now: number): boolean {
  return (round.more && takesNew(round) && hasRoomForFirst(round, now)) || now >= nextLook(round, now)
}

/**
 * Whether a look takes deliveries that were never tried. Retries are taken even when there is no room: they come first, or they would come too late.
 */
export function takesNew({ queue }: Round<ClaimedPost>): boolean {
  return queue.length < BATCH / 2
}

/** What follows a turn: the sender leaves, or waits for a change and for `ms` at most. */
export type Rest = 'leave' | { readonly ms: number | undefined }

/**
 * Once it is `ending`, a sender stays only until what it began is written down. Its own retries are waited for here: a step of the engine for each
 * would cost all tenants, and come late when it is busy.
 */
export function restOf(round: Round<ClaimedPost>, now: number, { isWriting, isEnding }: { isWriting: boolean; isEnding: boolean }): Rest {
  if (isEnding) return round.out.length > 0 || isWriting ? { ms: undefined } : 'leave'
  if (isBusy(round, isWriting) || round.more) {
    return { ms: isLookDue(round, now) ? 0 : Math.min(nextLook(round, now) - now, LONGEST_WAIT_MS) }
  }
  return 'leave'
}

/** There may be more to be sent. */
export function withMore<Due extends ClaimedPost>(round: Round<Due>): Round<Due> {
  return { ...round, more: true }
}

/** A look begins. */
export function looking<Due extends ClaimedPost>(round: Round<Due>, now: number): Round<Due> {
  return { ...round, lookedAt: now, more: round.more && !takesNew(round) }
}

/** A look has claimed these; `isFull` when there may be more. */
export function claimed<Due extends ClaimedPost>(round: Round<Due>, due: readonly Due[], isFull: boolean): Round<Due> {
  const queue = [...round.queue, ...due].sort((a, b) => Number(b.made > 0) - Number(a.made > 0))
  const lastTook = round.lastTook ?? due.find((one) => one.lastTook !== undefined)?.lastTook
  const found = new Set(due.map(({ delivery_no }) => delivery_no))
  const retries = round.retries.filter(({ delivery_no, dueAt }) => !found.has(delivery_no) && dueAt + LATE_MS > round.lookedAt)
  return { ...round, queue, lastTook, retries, more: round.more || isFull }
}

/** The endpoint as it was last read or judged: one that is gone wants nothing of what waits. */
export function withEndpoint<Due extends ClaimedPost>(
  round: Round<Due>,
  endpoint: { failingSince: number | null } | undefined,
): Round<Due> {
  if (endpoint === undefined) return { ...round, isFailing: false, queue: [], retries: [] }
  return { ...round, isFailing: endpoint.failingSince !== null }
}

/** These posts begin; each waits for its turn at first. */
export function begun<Due extends ClaimedPost>(round: Round<Due>, posts: readonly Due[]): Round<Due> {
  const out = posts.map(({ delivery_no, made, order_id }) => ({ delivery_no, made, order_id, at: undefined }))
  return { ...round, queue: without(round.queue, posts), out: [...round.out, ...out] }
}

/** Those that are first, as posts mostly are, without a look at the others. */
function without<Due extends ClaimedPost>(queue: readonly Due[], posts: readonly Due[]): readonly Due[] {
  if (posts.every((post, place) => queue[place] === post)) return queue.slice(posts.length)
  const chosen = new Set(posts.map(({ delivery_no }) => delivery_no))
  return queue.filter(({ delivery_no }) => !chosen.has(delivery_no))
}

/** A post leaves. */
export function departed<Due extends ClaimedPost>(round: Round<Due>, { delivery_no }: Due, at: number): Round<Due> {
  return { ...round, out: round.out.map((open) => (open.delivery_no === delivery_no ? { ...open, at } : open)) }
}

/** What a post came to. Without an attempt, it was not sent. */
export interface PostOutcome {
  readonly status: DeliveryStatus
  readonly dueAt: number
  readonly attempt?: { readonly latency_ms: number } | undefined
}

/** A post is over; without an outcome its turn never came, and it stays pending. */
export function ended<Due extends ClaimedPost>(round: Round<Due>, { delivery_no }: Due, outcome?: PostOutcome): Round<Due> {
  const out = round.out.filter((open) => open.delivery_no !== delivery_no)
  if (outcome === undefined) return { ...round, out }
  const retries = outcome.status === 'pending' ? [...round.retries, { delivery_no, dueAt: outcome.dueAt }] : round.retries
  if (outcome.attempt === undefined) return { ...round, out, retries }
  const last = outcome.status === 'delivered' ? 'delivered' : 'failed'
  return { ...round, out, retries, last, lastTook: outcome.attempt.latency_ms }
}

function isBusy({ out, queue, retries }: Round<ClaimedPost>, isWriting: boolean): boolean {
  return isWriting || out.length > 0 || queue.length > 0 || retries.length > 0
}

function nextLook(round: Round<ClaimedPost>, now: number): number {
  const retry = Math.max(round.lookedAt + LOOK_MS, Math.min(...round.retries.map(({ dueAt }) => dueAt)))
  if (!hasRoomForFirst(round, now)) return retry
  return Math.min(round.lookedAt + (isSlow(round, now) ? RELOOK_SLOW_MS : RELOOK_MS), retry)
}
