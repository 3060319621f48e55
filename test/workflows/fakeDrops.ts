import { ApplicationFailure } from '@temporalio/activity'
import type { DropActivities, DropLookActivities } from '../../activities/drops.ts'
import type { DropHead } from '../../src/domain/drops/dropHead.ts'

/** The drops of one seller as the database would have them, in the order of their registrations, with the activities that move them. */
export interface FakeDrops {
  readonly looks: DropLookActivities
  readonly stages: DropActivities
  /** The stages that ran, each as `{drop_id}: {stage}`. */
  readonly ran: string[]
  set(drops: readonly DropHead[]): void
  change(change: (drops: readonly DropHead[]) => readonly DropHead[]): void
  /** A stage fails so often. */
  fail(stage: DropHead['stage'], times: number, type: string): void
  /** Looks fail so often; a final failure is not tried again within the look. */
  failLooks(times: number, type: string, isFinal?: boolean): void
  /** Happens in every stage. */
  during(happens: (stage: DropHead['stage']) => Promise<void>): void
}

export function aDrop(drop_id: string, more: Partial<DropHead> = {}): DropHead {
  return {
    ...{ seller: 'station', drop_id, run_no: 1, stage: 'fetch', waits_for: null, registered_at: '2026-11-01T00:00:00.000Z' },
    ...{ cursor_file: 0, cursor_row: 0, rows_written: 0, rows_rejected: 0, stuck_reason: null },
    ...more,
  }
}

const NEXT = { fetch: 'publish', publish: 'avails', avails: 'posts', posts: 'finish', finish: 'ended', ended: 'ended' } as const

export function fakeDrops(): FakeDrops {
  let drops: readonly DropHead[] = []
  let failing = { stage: 'ended', times: 0, type: '' }
  let happens: (stage: DropHead['stage']) => Promise<void> = async () => undefined
  let unreadable = { times: 0, type: '', isFinal: false }
  const ran: string[] = []
  const openOf = (target: string) => drops.find((drop) => `station/${drop.drop_id}` === target && drop.stage !== 'ended')
  const stage = (name: DropHead['stage']) => async (target: string) => {
    ran.push(`${target.split('/')[1]}: ${name}`)
    await happens(name)
    if (failing.stage === name && failing.times > 0) {
      failing.times -= 1
      throw ApplicationFailure.create({ message: 'see the log of the worker', type: failing.type })
    }
    const drop = openOf(target)
    if (drop?.stage === name) drops = drops.map((one) => (one === drop ? { ...one, stage: NEXT[name] } : one))
  }
  return {
    ran,
    looks: {
      lookAtDrop: async (target) => {
        if (unreadable.times > 0) {
          unreadable.times -= 1
          throw ApplicationFailure.create({ message: 'see the log of the worker', type: unreadable.type, nonRetryable: unreadable.isFinal })
        }
        const drop = openOf(target)
        const [first] = drops.filter((one) => one.stage !== 'ended')
        return drop === undefined ? null : { ...drop, waits_for: first === drop ? null : (first?.drop_id ?? null) }
      },
    },
    stages: {
      fetchDrop: stage('fetch'),
      publishDrop: stage('publish'),
      mergeDropAvails: stage('avails'),
      storeDropPosts: stage('posts'),
      finishDrop: stage('finish'),
    },
    set: (wanted) => {
      drops = wanted
      ran.length = 0
      failing = { stage: 'ended', times: 0, type: '' }
      happens = async () => undefined
    },
    change: (change) => {
      drops = change(drops)
    },
    fail: (at, times, type) => {
      failing = { stage: at, times, type }
    },
    failLooks: (times, type, isFinal = false) => {
      unreadable = { times, type, isFinal }
    },
    during: (wanted) => {
      happens = wanted
    },
  }
}
