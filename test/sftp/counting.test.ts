import { describe, expect, it } from '@jest/globals'
import { countedLines } from '../../sftp/countedLines.ts'
import { failedSignIns } from '../../sftp/failedSignIns.ts'
import { LIMITS } from '../../sftp/limits.ts'
import { madeFolders } from '../../sftp/madeFolders.ts'
import { aClock } from '../support/clock.ts'

const BOUNDS = { max: 3, withinMs: 60_000, throttledMs: 90_000 }

/** Failed sign-ins on a clock that the test moves. */
function failing() {
  const { now, advance } = aClock()
  return { ...failedSignIns(BOUNDS, now), advance }
}

describe('sign-ins that fail', () => {
  it('are throttled from the last that counts for as long as is said, and counted anew then', () => {
    const { note, isThrottled, advance } = failing()
    note('1.2.3.4', 'cable')
    note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(false)
    note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(true)
    advance(89_999)
    expect(isThrottled('1.2.3.4', 'cable')).toBe(true)
    advance(1)
    expect(isThrottled('1.2.3.4', 'cable')).toBe(false)
    note('1.2.3.4', 'cable')
    note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(false)
  })

  it('count for a minute', () => {
    const { note, isThrottled, advance } = failing()
    note('1.2.3.4', 'cable')
    note('1.2.3.4', 'cable')
    advance(60_000)
    note('1.2.3.4', 'cable')
    note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(false)
    advance(59_999)
    note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(true)
  })

  it('stay throttled while they go on', () => {
    const { note, isThrottled } = failing()
    for (let count = 0; count < 4; count += 1) note('1.2.3.4', 'cable')
    expect(isThrottled('1.2.3.4', 'cable')).toBe(true)
  })

  it('are those of one user name from one source', () => {
    const { note, isThrottled } = failing()
    for (let count = 0; count < 3; count += 1) note('1.2.3.4', 'cable')
    expect([isThrottled('1.2.3.5', 'cable'), isThrottled('1.2.3.4', 'station')]).toEqual([false, false])
  })

  it('are remembered of ten thousand at most, the oldest forgotten first', () => {
    const { note, isThrottled } = failing()
    for (const user of ['oldest', 'second']) for (let count = 0; count < 3; count += 1) note('1.2.3.4', user)
    for (let n = 0; n < 9_998; n += 1) note('1.2.3.4', `user-${n}`)
    expect([isThrottled('1.2.3.4', 'oldest'), isThrottled('1.2.3.4', 'second')]).toEqual([true, true])
    note('1.2.3.4', 'one more')
    expect([isThrottled('1.2.3.4', 'oldest'), isThrottled('1.2.3.4', 'second')]).toEqual([false, true])
  })
})

describe('lines that may come often', () => {
  function counting() {
    const { now, advance } = aClock()
    const written: unknown[][] = []
    return { ...countedLines((...line) => void written.push(line), now), written, advance }
  }

  it('are written at once, and then once a minute with what came last and how often', () => {
    const { note, look, written, advance } = counting()
    note('cable', 'first')
    note('cable', 'second')
    advance(59_999)
    look()
    note('cable', 'third')
    expect(written).toEqual([['cable', 'first', 1]])
    advance(1)
    look()
    expect(written.slice(1)).toEqual([['cable', 'third', 2]])
    note('cable', 'fourth')
    advance(60_000)
    look()
    expect(written.slice(2)).toEqual([['cable', 'fourth', 1]])
  })

  it('are written at once again after a minute in which there was none', () => {
    const { note, look, written, advance } = counting()
    note('cable', 'first')
    advance(60_000)
    look()
    note('cable', 'second')
    note('station', 'other')
    expect(written).toEqual([
      ['cable', 'first', 1],
      ['cable', 'second', 1],
      ['station', 'other', 1],
    ])
  })

  it('are written of a thousand senders; further ones share a line', () => {
    const { note, look, written, advance } = counting()
    for (let n = 0; n < 1_003; n += 1) note(`sender-${n}`, 'what')
    expect(written).toHaveLength(1_001)
    expect(written.at(-1)).toEqual(['others', 'what', 1])
    note('sender-1', 'again')
    advance(60_000)
    look()
    expect(written.slice(1_001).sort()).toEqual([
      ['others', 'what', 2],
      ['sender-1', 'again', 1],
    ])
  })
})

describe('folders that a seller has made', () => {
  it('are kept by seller, a hundred of each, and the oldest is forgotten first', () => {
    let now = 0
    const folders = madeFolders(() => now)
    for (let n = 0; n < 100; n += 1) {
      now = n
      folders.add('cable', `d-${n}`)
    }
    folders.add('station', 'd-0')
    expect([folders.madeAt('cable', 'd-0'), folders.madeAt('cable', 'd-99'), folders.of('cable')]).toEqual([0, 99, expect.any(Array)])
    folders.add('cable', 'one more')
    expect([folders.madeAt('cable', 'd-0'), folders.madeAt('cable', 'd-1'), folders.madeAt('station', 'd-0')]).toEqual([undefined, 1, 99])
    expect([folders.remove('cable', 'd-1'), folders.remove('cable', 'd-1'), folders.remove('nobody', 'd-1')]).toEqual([true, false, false])
    expect(folders.of('nobody')).toEqual([])
  })
})

describe('the limits of a server', () => {
  it('are those that the choices name', () => {
    expect(LIMITS).toEqual({
      ...{ connections: 64, perSeller: 4, signingIn: 16, waiting: 1_024, channels: 10, handles: 16, tries: 3, offers: 16 },
      ...{ signInMs: 20_000, idleMs: 5 * 60_000, checkedEveryMs: 1_500, trustedMs: 4_500 },
      exchanges: { perSecond: 2, burst: 120 },
      failures: { max: 10, withinMs: 60_000, throttledMs: 60_000 },
    })
  })
})
