import { describe, expect, it } from '@jest/globals'
import { byteBudget } from '../../api/http/byteBudget.ts'

const refusal = (code: string, message: RegExp) => expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('a byte budget', () => {
  const budget = () => byteBudget('request bodies', { perTenant: 100, total: 250 })

  it('refuses a tenant past its own bound, and no other tenant', () => {
    const { reserve } = budget()
    const held = reserve('cable', 60)
    expect(() => reserve('cable', 41)).toThrow(refusal('RATE_LIMITED', /100 bytes of request bodies/))
    reserve('station', 100)
    held.release()
    reserve('cable', 100)
  })

  it('refuses everybody past the bound of all', () => {
    const { reserve } = budget()
    for (const tenant of ['cable', 'station']) reserve(tenant, 100)
    expect(() => reserve('local', 51)).toThrow(refusal('UNAVAILABLE', /request bodies/))
    reserve('local', 50)
  })

  it('holds a reservation that grows to the same bounds', () => {
    const held = budget().reserve('cable', 0)
    held.grow(100)
    expect(() => held.grow(1)).toThrow(refusal('RATE_LIMITED', /100 bytes/))
  })

  it('gives back once what is released twice', () => {
    const { reserve, refuseExhausted } = budget()
    const held = reserve('cable', 100)
    const other = reserve('station', 100)
    expect(() => refuseExhausted('cable')).toThrow(refusal('RATE_LIMITED', /100 bytes/))
    held.release()
    held.release()
    refuseExhausted('cable')
    expect(() => reserve('local', 151)).toThrow(refusal('UNAVAILABLE', /request bodies/))
    other.release()
  })

  it('lets a tenant that holds nothing pass its own bound once', () => {
    const { reserve } = budget()
    reserve('cable', 200)
    expect(() => reserve('cable', 1)).toThrow(refusal('RATE_LIMITED', /100 bytes/))
  })

  it('counts what is there already past every bound', () => {
    const { count, refuseExhausted } = budget()
    const counted = [count('cable', 200), count('cable', 200)]
    expect(() => refuseExhausted('cable')).toThrow(refusal('RATE_LIMITED', /100 bytes/))
    for (const one of counted) one.release()
    refuseExhausted('cable')
  })
})
