import { describe, expect, it } from '@jest/globals'
import { afterMailAttempt, type MailAttempt, mayHaveGone } from '../../../src/domain/edi/afterMailAttempt.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FIRST = Date.parse('2026-11-02T09:00:00.000Z')
const fateAfter = (more: Partial<MailAttempt>, chance = 0.5) =>
  afterMailAttempt({ outcome: 'unreachable', reason: 'connect', made: 1, firstAt: FIRST, endedAt: FIRST, ...more }, chance)
const waits = (chance: number) =>
  [1, 2, 3, 4, 5, 6, 7, 70].map((made) => {
    const fate = fateAfter({ made }, chance)
    return fate.status === 'queued' ? (fate.due - FIRST) / MINUTE : fate
  })

describe('a mail after an attempt', () => {
  it('is sent when it was accepted, and failed when it was refused', () => {
    expect(fateAfter({ outcome: 'accepted', reason: undefined })).toEqual({ status: 'sent' })
    expect(fateAfter({ outcome: 'refused', reason: undefined })).toEqual({ status: 'failed', status_reason: 'refused' })
  })

  it('is tried again after 1, 2, 5, 15, 30 and 60 minutes, then hourly, a fifth less or more', () => {
    expect(waits(0.5)).toEqual([1, 2, 5, 15, 30, 60, 60, 60])
    expect(waits(0)).toEqual([0.8, 1.6, 4, 12, 24, 48, 48, 48])
    expect(waits(1)).toEqual([1.2, 2.4, 6, 18, 36, 72, 72, 72])
  })

  it('has its last attempt 72 hours after the first one', () => {
    expect(fateAfter({ made: 70, endedAt: FIRST + 71.5 * HOUR })).toEqual({ status: 'queued', due: FIRST + 72 * HOUR, stuck: 'connect' })
    expect(fateAfter({ made: 71, endedAt: FIRST + 72 * HOUR })).toEqual({ status: 'failed', status_reason: 'expired' })
    expect(fateAfter({ outcome: 'accepted', made: 71, endedAt: FIRST + 72 * HOUR })).toEqual({ status: 'sent' })
  })

  it('is stuck from the third miss on', () => {
    const stuck = [1, 2, 3, 4].map((made) => fateAfter({ made, outcome: 'deferred', reason: 'deferred' }))
    expect(stuck.map((fate) => 'stuck' in fate && fate.stuck)).toEqual([null, null, 'deferred', 'deferred'])
  })
})

describe('what may have gone', () => {
  it('is what was accepted, and what a lost connection left open', () => {
    expect(mayHaveGone({ outcome: 'accepted' })).toBe(true)
    expect(mayHaveGone({ outcome: 'unreachable', reason: 'connect' })).toBe(true)
  })

  it('is nothing that a server answered, or that never reached it', () => {
    expect(mayHaveGone({ outcome: 'refused' })).toBe(false)
    expect(mayHaveGone({ outcome: 'deferred', reason: 'deferred' })).toBe(false)
    for (const reason of ['dns', 'tls', 'auth'] as const) expect(mayHaveGone({ outcome: 'unreachable', reason })).toBe(false)
  })
})
