import { expect, it } from '@jest/globals'
import { permits } from '../../activities/permits.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('lets so many through at once, the next when one comes back, and receivers that fail hold a part alone', async () => {
  const shared = permits(3, 2)
  const out: string[] = []
  const back = new Map<string, () => void>()
  const take = (name: string, suspect: boolean) =>
    void shared
      .take(() => suspect)
      .then((giveBack) => {
        out.push(name)
        back.set(name, giveBack)
      })
  for (const name of ['dead-1', 'dead-2', 'dead-3']) take(name, true)
  take('sound-1', false)
  take('sound-2', false)
  await settled()
  expect(out).toEqual(['dead-1', 'dead-2', 'sound-1'])
  back.get('dead-1')?.()
  await settled()
  expect(out.slice(3)).toEqual(['sound-2']) // before the one that came first, and fails
  back.get('sound-1')?.()
  await settled()
  expect(out.slice(4)).toEqual(['dead-3'])
  take('sound-3', false)
  await settled()
  expect(out).toHaveLength(5)
})

it('asks at the turn, and not before, whether a receiver fails', async () => {
  const shared = permits(1, 0)
  const giveBack = await shared.take(() => false)
  let fails = false
  const began: string[] = []
  void shared.take(() => fails).then(() => began.push('came to fail'))
  void shared.take(() => false).then(() => began.push('sound'))
  fails = true
  giveBack()
  await settled()
  expect(began).toEqual(['sound'])
})
