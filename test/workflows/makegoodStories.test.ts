import { describe, expect, it } from '@jest/globals'
import { runIdOf } from '../../worker/runs.ts'
import { startedRun } from '../support/engines/orderRun.ts'
import { makegoodsOf } from '../support/makegoods/makegoodsOf.ts'
import { until } from '../support/until.ts'
import { useSellerCalls } from './useSellerCalls.ts'
import { storyNow, useStories } from './useStories.ts'

/** What an operator reads in the history of a makegood's run. `RECORD=1` writes the histories to otherStories/, for the replay test. */
const FOLDER = new URL('otherStories/', import.meta.url)
const use = useSellerCalls()
const { market } = use
const { notice, offered, revise, answer, anOffer, read } = makegoodsOf(market)

const { storyTo } = useStories(use, FOLDER)

const waits = async (id: string, timer: string) => {
  const run = await startedRun(use.env.client, runIdOf('makegood', id), 60)
  await until(async () => (await storyNow(run)).includes(`timer ${timer}`), 60)
}
/** An order that is placed by cable's people; only its bookings matter. */
const placed = () => market.placed()

describe('the history of a makegood', () => {
  it('tells that it waited for the answer and what that was', async () => {
    const order = await placed()
    const id = await offered(order)
    await waits(id, 'offer expires')
    await answer(order, id, 'accept')
    expect(await storyTo(runIdOf('makegood', id), 'makegoodAccepted')).toEqual([
      'timer offer expires',
      'result {"status":"accepted","version":1}',
    ])
  })

  it('tells that it waited for an offer first, and that the answer did not come in time', async () => {
    const order = await placed()
    const id: string = (await notice(order)).body.makegood_id
    await waits(id, 'flight ends')
    // Another time than the end of the flight, which would leave the run its timer.
    await revise(order, id, { action: 'offer', offers: [anOffer()], expires_at: '2030-05-31T12:00:00Z' })
    await waits(id, 'offer expires')
    await market.owner().query(`update makegoods set expires_at = now(), due_at = now() where makegood_id = $1`, [id])
    await market.owner().query(`insert into outbox (kind, target) values ('makegood', $1)`, [id])
    expect(await storyTo(runIdOf('makegood', id), 'makegoodExpired')).toEqual([
      'timer flight ends',
      'timer offer expires',
      'result {"status":"expired","version":2}',
    ])
    expect((await read(order, id)).actions.at(-1)).toMatchObject({ action: 'expire', actor: 'deadline' })
  })

  it('tells that the end of its order recalled it', async () => {
    const order = await placed()
    const id = await offered(order)
    await waits(id, 'offer expires')
    await market.acme.post(`/orders/${order}/cancel`, {})
    expect(await storyTo(runIdOf('makegood', id), 'makegoodRecalled')).toEqual([
      'timer offer expires',
      'result {"status":"recalled","version":1}',
    ])
  })
})
