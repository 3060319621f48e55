import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { openPostPermits } from '../../../src/operations/webhooks/postPermits.ts'
import { settled } from '../../support/until.ts'

const quick = { isSlow: false, made: 0 }
const slow = (made: number) => ({ isSlow: true, made })

it('a post that is out for a second gives its place to the next, and giving it back later changes nothing', async () => {
  const postPermits = openPostPermits({
    answering: { permits: 1, perTenant: 1 },
    slow: { permits: 1, perTenant: 1 },
    slowRetry: { permits: 1, perTenant: 1 },
  })
  const began = Date.now()
  const release = await postPermits.take('silent', quick)
  const second = await postPermits.take('sound', quick)
  expect(Date.now() - began).toBeGreaterThan(900)
  release()
  let third = false
  void postPermits.take('sound', quick).then(() => {
    third = true
  })
  await settled()
  expect(third).toBe(false)
  second()
  await settled()
  expect(third).toBe(true)
  await sleep(1_100) // its own timer has fired
})

it('slow receivers have places of their own, for each attempt', async () => {
  const postPermits = openPostPermits({
    answering: { permits: 1, perTenant: 1 },
    slow: { permits: 2, perTenant: 1 },
    slowRetry: { permits: 1, perTenant: 1 },
  })
  const taken: string[] = []
  const take = (tenant: string, made: number) => void postPermits.take(tenant, slow(made)).then(() => taken.push(`${tenant}-${made}`))
  for (const made of [0, 0, 1, 2]) take('silent', made)
  take('other', 0)
  take('third', 0)
  const release = await postPermits.take('sound', quick)
  release()
  await settled()
  expect(taken).toEqual(['silent-0', 'silent-1', 'silent-2', 'other-0'])
})

it('a turn that is no longer wanted is left', async () => {
  const postPermits = openPostPermits({
    answering: { permits: 1, perTenant: 1 },
    slow: { permits: 1, perTenant: 1 },
    slowRetry: { permits: 1, perTenant: 1 },
  })
  await postPermits.take('silent', slow(0))
  const stop = new AbortController()
  const waiting = postPermits.take('silent', slow(0), stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow()
})

it('a place is taken at once where one is free, and is the same as one that was waited for', async () => {
  const postPermits = openPostPermits({
    answering: { permits: 1, perTenant: 1 },
    slow: { permits: 1, perTenant: 1 },
    slowRetry: { permits: 1, perTenant: 1 },
  })
  const release = postPermits.takeNow('sound', quick)
  expect(postPermits.takeNow('sound', quick)).toBeUndefined()
  const began = Date.now()
  const next = await postPermits.take('other', quick)
  expect([release === undefined, Date.now() - began > 900]).toEqual([false, true])
  next()
  expect(postPermits.takeNow('sound', quick)).toBeDefined()
})
