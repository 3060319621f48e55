import type { DeliveryStatus } from '../../contract/vocabulary.ts'
import { type EndpointPace, hasRoomForFirst, isSlow, type OpenPost, type WaitingPost } from './nextPosts.ts'

/** A claimed delivery. */
export interface ClaimedPost extends WaitingPost {
  delivery_no: string
  /** The duration of its last attempt in milliseconds. */
  lastTook?: number | undefined
}

/**
 * The state of a sender at work on an endpoint, as a value: each function below returns the next state. Times are milliseconds since 1970.
 */
export interface Round<Due extends ClaimedPost> extends EndpointPace {
  /** The claimed deliveries that have not begun, retries first. */
  readonly queue: readonly Due[]
  readonly out: readonly (OpenPost & Pick<ClaimedPost, 'delivery_no'>)[]
  /** The deliveries whose attempts in this round failed, with the time of the next attempt, until they are claimed again. */
  readonly retries: readonly Retry[]
  /** Whether more may be due than was claimed. */
  readonly more: boolean
  readonly lookedAt: number
  /** When the endpoint was last sent something; undefined as long as nothing was. */
  readonly sentAt: number | undefined
}

interface Retry {
  readonly delivery_no: string
  readonly dueAt: number
}

/** The most deliveries of one claim. */
export const BATCH = 128
/** The shortest time between two queries for retries. */
const LOOK_MS = 100
/**
 * How often a running round checks that its endpoint still wants the claimed deliveries, and which secrets sign them. A sender that waits
 * for more to do looks as often, so that a wake that is lost delays it no longer.
 */
const RELOOK_MS = 1_000
const RELOOK_SLOW_MS = 5_000
/** How long a due retry is queried for: the database, whose clock decides about claims, may be behind. After that a run takes it. */
const LATE_MS = 1_000
/** How long a sender stays after it has sent something, so that steady traffic needs no step of the engine for each event. */
export const STAY_MS = 5_000
/** The longest wait, since a timer cannot wait longer than 24 days, and least of all forever. */
const LONGEST_WAIT_MS = 60_000

export function newRound<Due extends ClaimedPost>(): Round<Due> {
  return {
    queue: [],
    out: [],
    retries: [],
    isFailing: false,
    last: undefined,
    lastTook: undefined,
    more: true,
    lookedAt: 0,
    sentAt: undefined,
  }
}

/** Returns true if the sender must query for due deliveries. Skips queries while nothing could begin, so a hanging endpoint causes none. */
export function isLookDue(round: Round<ClaimedPost>, now: number): boolean {
  return (round.more && takesNew(round) && hasRoomForFirst(round, now)) || now >= nextLook(round, now)
}

/**
 * Returns true if a query takes deliveries without an attempt. Retries are taken even without room: they come first, or would be too late.
 */
export function takesNew({ queue }: Round<ClaimedPost>): boolean {
  return queue.length < BATCH / 2
}

/** The end of a turn: the sender leaves, or waits for a change and for `ms` at most. */
export type NextStep = 'leave' | { readonly ms: number | undefined }

/** What decides about the end of a turn. `stayMs` is how long the sender stays after it has sent something. */
export interface TurnEnd {
  readonly isWriting: boolean
  readonly isEnding: boolean
  readonly stayMs: number
}

/**
 * Returns what a sender does after a turn. If `isEnding`, it stays only until its begun deliveries are recorded. Otherwise it stays while
 * there is work, and for some time after it has sent something. Its run waits for retries that are due later.
 */
export function nextStepOf(round: Round<ClaimedPost>, now: number, { isWriting, isEnding, stayMs }: TurnEnd): NextStep {
  if (isEnding) return round.out.length > 0 || isWriting ? { ms: undefined } : 'leave'
  const look = () => (isLookDue(round, now) ? now : Math.min(nextLook(round, now), now + LONGEST_WAIT_MS))
  if (isBusy(round, isWriting) || round.more) return { ms: look() - now }
  const staysUntil = (round.sentAt ?? Number.NEGATIVE_INFINITY) + stayMs
  return staysUntil > now ? { ms: Math.min(look(), staysUntil) - now } : 'leave'
}

/** Records that more deliveries may be due. */
export function withMore<Due extends ClaimedPost>(round: Round<Due>): Round<Due> {
  return { ...round, more: true }
}

/** Records that a query begins. */
export function looking<Due extends ClaimedPost>(round: Round<Due>, now: number): Round<Due> {
  return { ...round, lookedAt: now, more: round.more && !takesNew(round) }
}

/** Adds the deliveries that a query has claimed; `isFull` means that more may be due. */
export function claimed<Due extends ClaimedPost>(round: Round<Due>, due: readonly Due[], isFull: boolean): Round<Due> {
  const queue = [...round.queue, ...due].sort((a, b) => Number(b.made > 0) - Number(a.made > 0))
  const lastTook = round.lastTook ?? due.find((one) => one.lastTook !== undefined)?.lastTook
  const found = new Set(due.map(({ delivery_no }) => delivery_no))
  const retries = round.retries.filter(({ delivery_no, dueAt }) => !found.has(delivery_no) && dueAt + LATE_MS > round.lookedAt)
  return { ...round, queue, lastTook, retries, more: round.more || isFull }
}

/** Applies the endpoint's state as last read or judged; if it is gone, nothing that waits is sent. */
export function withEndpoint<Due extends ClaimedPost>(
  round: Round<Due>,
  endpoint: { failingSince: number | null } | undefined,
): Round<Due> {
  if (endpoint === undefined) return { ...round, isFailing: false, queue: [], retries: [], sentAt: undefined }
  return { ...round, isFailing: endpoint.failingSince !== null }
}

/** Begins these posts; each one first waits for its turn. */
export function started<Due extends ClaimedPost>(round: Round<Due>, posts: readonly Due[]): Round<Due> {
  const out = posts.map(({ delivery_no, made, order_id }) => ({ delivery_no, made, order_id, at: undefined }))
  return { ...round, queue: without(round.queue, posts), out: [...round.out, ...out] }
}

/** Removes posts from the queue. Usually they are its first ones, and then the others are not examined. */
function without<Due extends ClaimedPost>(queue: readonly Due[], posts: readonly Due[]): readonly Due[] {
  if (posts.every((post, place) => queue[place] === post)) return queue.slice(posts.length)
  const chosen = new Set(posts.map(({ delivery_no }) => delivery_no))
  return queue.filter(({ delivery_no }) => !chosen.has(delivery_no))
}

/** Records that a post is sent. */
export function sent<Due extends ClaimedPost>(round: Round<Due>, { delivery_no }: Due, at: number): Round<Due> {
  return { ...round, sentAt: at, out: round.out.map((open) => (open.delivery_no === delivery_no ? { ...open, at } : open)) }
}

/** The outcome of a post. Without an attempt, it was not sent. */
export interface PostOutcome {
  readonly status: DeliveryStatus
  readonly dueAt: number
  readonly attempt?: { readonly latency_ms: number } | undefined
}

/** Ends a post; without an outcome its turn never came, and it stays pending. */
export function ended<Due extends ClaimedPost>(round: Round<Due>, { delivery_no }: Due, outcome?: PostOutcome): Round<Due> {
  const out = round.out.filter((open) => open.delivery_no !== delivery_no)
  if (outcome === undefined) return { ...round, out }
  const retries = outcome.status === 'pending' ? [...round.retries, { delivery_no, dueAt: outcome.dueAt }] : round.retries
  if (outcome.attempt === undefined) return { ...round, out, retries }
  const last = outcome.status === 'delivered' ? 'delivered' : 'failed'
  const { latency_ms } = outcome.attempt
  const began = round.out.find((open) => open.delivery_no === delivery_no)?.at
  const sentAt = began === undefined ? round.sentAt : Math.max(round.sentAt ?? 0, began + latency_ms)
  return { ...round, out, retries, last, lastTook: latency_ms, sentAt }
}

/** Returns how many deliveries the round has claimed and not brought to an end. */
export function waitingIn({ out, queue, retries }: Round<ClaimedPost>): number {
  return out.length + queue.length + retries.length
}

function isBusy({ out, queue }: Round<ClaimedPost>, isWriting: boolean): boolean {
  return isWriting || out.length > 0 || queue.length > 0
}

function nextLook(round: Round<ClaimedPost>, now: number): number {
  const retry = Math.max(round.lookedAt + LOOK_MS, Math.min(...round.retries.map(({ dueAt }) => dueAt)))
  if (!hasRoomForFirst(round, now)) return retry
  const isHanging = round.out.length + round.queue.length > 0 && isSlow(round, now)
  return Math.min(round.lookedAt + (isHanging ? RELOOK_SLOW_MS : RELOOK_MS), retry)
}
