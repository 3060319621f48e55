import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { SellerProfile } from '../../../src/contract/seller.ts'
import { openSellerPermits, type PermitRequest } from '../../../src/operations/pull/sellerPermits.ts'

/** Work that ends when the test says so. */
function held() {
  let end = () => {}
  const done = new Promise<string>((resolve) => {
    end = () => resolve('done')
  })
  return { work: () => done, end: () => end() }
}

const ofSeller = (seller: string, max_concurrent?: number, buyer = 'acme'): PermitRequest => ({
  seller,
  buyer,
  profile: SellerProfile.parse({ transports: { pull: { base_url: 'https://seller.example', secret_ref: 'pull', max_concurrent } } }),
})
const a = ofSeller('a', 1)

describe('sellerPermits', () => {
  it('run a bounded number at once per seller, and pass a free place to the one that waits longest', async () => {
    const sellerPermits = openSellerPermits({ perBuyer: 2, waiting: 2 })
    const first = held()
    const order: string[] = []
    const running = sellerPermits.run(a, 0, first.work)
    const waiting = ['second', 'third'].map((name) => sellerPermits.run(a, 10_000, async () => order.push(name)))
    expect(await sellerPermits.run(ofSeller('b', 1), 0, async () => 'another seller')).toBe('another seller')
    expect(order).toEqual([])
    first.end()
    await Promise.all([running, ...waiting])
    expect(order).toEqual(['second', 'third'])
  })

  it('are full when too many wait, or none leaves in time', async () => {
    const sellerPermits = openSellerPermits({ perBuyer: 1, waiting: 2 })
    const first = held()
    const running = sellerPermits.run(a, 0, first.work)
    const impatient = sellerPermits.run(a, 5, async () => 'never')
    expect(await sellerPermits.run(a, 10_000, async () => 'never')).toBe('permits_taken')
    expect(await impatient).toBe('permits_taken')
    first.end()
    expect(await running).toBe('done')
    expect(await sellerPermits.run(a, 0, async () => 'free again')).toBe('free again')
  })

  it('give the next place to another buyer, and keep room for it to wait', async () => {
    const sellerPermits = openSellerPermits({ perBuyer: 3, waiting: 10 })
    const first = held()
    const order: string[] = []
    const run = (buyer: string, name: string) => sellerPermits.run(ofSeller('a', 1, buyer), 10_000, async () => order.push(name))
    const running = sellerPermits.run(a, 0, first.work)
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => run('acme', name))
    const other = run('zenith', 'z1')
    expect(await flood[3]).toBe('permits_taken')
    first.end()
    await Promise.all([running, other, ...flood])
    expect(order).toEqual(['z1', 'a1', 'a2', 'a3'])
  })

  it('are as wide as the seller declares, sixteen by default, and follow a changed declaration', async () => {
    const sellerPermits = openSellerPermits({ perBuyer: 100, waiting: 100 })
    let [running, max] = [0, 0]
    const work = async () => {
      max = Math.max(max, ++running)
      await sleep(20)
      running -= 1
    }
    const widths: number[] = []
    for (const lane of [ofSeller('a'), ofSeller('a', 3), ofSeller('a', 40)]) {
      max = 0
      await Promise.all(Array.from({ length: 60 }, () => sellerPermits.run(lane, 10_000, work)))
      widths.push(max)
    }
    expect(widths).toEqual([16, 3, 40])
  })

  it('are left by work that fails', async () => {
    const sellerPermits = openSellerPermits({ perBuyer: 0, waiting: 0 })
    await expect(sellerPermits.run(a, 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await sellerPermits.run(a, 0, async () => 'free again')).toBe('free again')
  })
})
