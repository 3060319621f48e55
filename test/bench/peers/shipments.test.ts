import { describe, expect, it } from '@jest/globals'
import { openCarrier, type Shipment } from './shipments.ts'

/** A list that is one step further at each look, and stays at its last step. */
function listOf(...steps: readonly (readonly Shipment[])[]): { looks: () => number; list: () => Promise<readonly Shipment[]> } {
  let looks = 0
  return {
    looks: () => looks,
    list: async () => {
      looks += 1
      return steps[Math.min(looks, steps.length) - 1] ?? []
    },
  }
}

const booked = { id: 'a:1', status: 'booked' }

describe('the carrier', () => {
  it('looks at its list until it is as awaited, by id and status', async () => {
    const { list, looks } = listOf([], [booked], [{ ...booked, status: 'dispatched' }], [])
    const carrier = openCarrier(list)
    await carrier.until((pending) => pending.get('a:1') === 'dispatched')
    expect(looks()).toBe(3)
    await carrier.until((pending) => pending.size === 0)
  })

  it('looks once for all who wait', async () => {
    const { list, looks } = listOf([booked])
    const carrier = openCarrier(list)
    const seen = () => carrier.until((pending) => pending.has('a:1'))
    await Promise.all([seen(), seen(), seen()])
    expect(looks()).toBe(1)
  })

  it('fails for all who wait where the list cannot be read, and looks again for those who come later', async () => {
    const answers = [Promise.reject(new Error('no answer')), Promise.resolve([booked])]
    const carrier = openCarrier(() => answers.shift() ?? Promise.resolve([]))
    const never = () => carrier.until(() => false)
    expect(await Promise.allSettled([never(), never()])).toEqual([
      { status: 'rejected', reason: new Error('no answer') },
      { status: 'rejected', reason: new Error('no answer') },
    ])
    await carrier.until((pending) => pending.has('a:1'))
  })
})
