import { describe, expect, it } from '@jest/globals'
import { openWebhookDispatcher } from '../../activities/deliveries.ts'
import { until } from '../support/until.ts'
import { hookedDatabase, moment, type StatementHooks, settled } from './hookedDatabase.ts'
import { useDispatcher } from './useDispatcher.ts'

const use = useDispatcher()
const { market, outbound, endpointAt, ping, logOf } = use

/** A dispatcher of its own, with what happens around its statements. */
function dispatcherWith(hooks: StatementHooks, options?: { slots?: number }) {
  const db = hookedDatabase(market.deps.db, hooks)
  return openWebhookDispatcher({ db, secrets: market.deps.secrets, outbound }, options)
}

describe('a look', () => {
  it('takes no delivery once more that is written down between the snapshot of its statement and the reply', async () => {
    const hooks: StatementHooks = {}
    const dispatcher = dispatcherWith(hooks)
    const answers: (() => void)[] = []
    use.receiver.answer((res) =>
      use.receiver.received.length === 1 ? res.writeHead(204).end() : answers.push(() => res.writeHead(204).end()),
    )
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    await ping(id)
    const sending = dispatcher.send(id)
    await until(() => answers.length === 1) // the second is out, and the endpoint may have more
    const [isRead, isWritten] = [moment(), moment()]
    hooks['write-attempts'] = { after: isWritten.come }
    hooks['due-deliveries'] = {
      after: async () => {
        delete hooks['due-deliveries']
        isRead.come()
        await isWritten.has
        await settled()
      },
    }
    dispatcher.wake(id)
    await isRead.has
    answers[0]?.()
    use.receiver.answer((res) => res.writeHead(204).end())
    expect(await sending).toBe('nothing')
    expect(use.receiver.received).toHaveLength(2)
    expect((await logOf(id)).map(({ attempts }) => attempts.length)).toEqual([1, 1])
  })
})
