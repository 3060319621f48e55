import { describe, expect, it } from '@jest/globals'
import { tokenBuckets } from '../../src/domain/tokenBuckets.ts'

describe('token buckets', () => {
  it('pay up to the burst, say when they can pay again, and refill', () => {
    let now = 0
    const { spend, secondsUntil } = tokenBuckets({ perSecond: 10, burst: 100 }, () => now)
    expect(secondsUntil('cable', 100)).toBe(0)
    spend('cable', 100)
    expect(secondsUntil('cable', 25)).toBe(3)
    expect(secondsUntil('station', 100)).toBe(0)
    now = 2_500
    expect(secondsUntil('cable', 25)).toBe(0)
    expect(secondsUntil('cable', 26)).toBe(1)
  })

  it('take tokens only when they can pay for them now', () => {
    let now = 0
    const { take, tokensOf } = tokenBuckets({ perSecond: 10, burst: 100 }, () => now)
    expect(take('cable', 100)).toBe(0)
    expect(tokensOf('cable')).toBe(0)
    expect(take('cable', 25)).toBe(3)
    expect(tokensOf('cable')).toBe(0)
    now = 2_500
    expect(take('cable', 25)).toBe(0)
    expect(take('cable', 1)).toBe(1)
  })

  it('pay for anything when they are full, and are then in debt', () => {
    let now = 0
    const { spend, secondsUntil } = tokenBuckets({ perSecond: 10, burst: 100 }, () => now)
    expect(secondsUntil('cable', 150)).toBe(0)
    spend('cable', 150)
    now = 5_000
    expect(secondsUntil('cable', 1)).toBe(1)
    now = 5_100
    expect(secondsUntil('cable', 1)).toBe(0)
  })

  it('are forgotten once they are full again, those in debt are not', () => {
    let now = 0
    const buckets = tokenBuckets({ perSecond: 10, burst: 100 }, () => now)
    for (let key = 0; key < 50; key += 1) buckets.spend(`key ${key}`, 1)
    buckets.spend('in debt', 1_000)
    expect(buckets.remembered).toBe(51)
    now = 10_000
    // Each new key takes the place of one that is forgotten.
    for (let key = 50; key < 75; key += 1) buckets.spend(`key ${key}`, 1)
    expect(buckets.remembered).toBe(51)
    for (let times = 0; times < 50; times += 1) buckets.spend('key 74', 0)
    expect(buckets.secondsUntil('in debt', 1)).toBe(81)
    expect(buckets.remembered).toBe(26)
  })
})
