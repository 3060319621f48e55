import { describe, expect, it } from '@jest/globals'
import { type DispatcherOptions, openWebhookDispatcher, type WebhookDispatcher } from '../../activities/deliveries.ts'
import { hookedDatabase, moment, type StatementHooks } from '../support/hookedDatabase.ts'
import { settled, until } from '../support/until.ts'
import { delivering, useDispatcher } from './useDispatcher.ts'

const use = useDispatcher()
const { market, outbound, endpointAt, ping, logOf, holdAnswers } = use
const isOut = () => until(() => use.receiver.received.length > 0)
const deliver = (dispatcher: WebhookDispatcher, id: string) => delivering(dispatcher.activities.deliver, id)

/** A dispatcher of its own, with what happens around its statements. */
function dispatcherWith(hooks: StatementHooks, options?: DispatcherOptions) {
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

describe('a sender that leaves', () => {
  it('leaves what it was woken for after its last look to another', async () => {
    const hooks: StatementHooks = {}
    const dispatcher = dispatcherWith(hooks)
    const answerAll = holdAnswers(0)
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const sending = dispatcher.send(id)
    await isOut()
    hooks['leave-endpoints'] = {
      after: async () => {
        delete hooks['leave-endpoints']
        await ping(id)
        expect(dispatcher.wake(id)).toBe(true)
      },
    }
    const closing = dispatcher.close()
    answerAll()
    expect(await sending).toBe('ends')
    await closing
    expect(use.receiver.received).toHaveLength(1)
  })

  it('does not end while the database does not answer it, and is then given up: its endpoint can be sent to again', async () => {
    const hooks: StatementHooks = {}
    let now = 0
    const dispatcher = dispatcherWith(hooks, { elapsed: () => now })
    const answered = moment()
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    hooks['leave-endpoints'] = { after: () => answered.has }
    const sending = dispatcher.send(id)
    await isOut()
    expect(dispatcher.wake(id)).toBe(true)
    now += 91_000
    await expect(sending).rejects.toThrow('has not ended in time')
    expect(dispatcher.wake(id)).toBe(false)
    delete hooks['leave-endpoints']
    await ping(id)
    expect(await dispatcher.send(id)).toBe('nothing')
    answered.come()
    expect((await logOf(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })
})

describe('a sender whose lease is not known to last', () => {
  it('begins no post, whether or not it has heard of its end', async () => {
    const hooks: StatementHooks = {}
    let now = 0
    const dispatcher = dispatcherWith(hooks, { elapsed: () => now })
    const answerAll = holdAnswers(0)
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const sending = dispatcher.send(id)
    await isOut()
    const answered = moment()
    hooks['renew-endpoints'] = { before: () => answered.has }
    now += 4_001
    await ping(id)
    dispatcher.wake(id)
    answerAll()
    expect(await sending).toBe('run')
    answered.come()
    expect(use.receiver.received).toHaveLength(1)
  })
})

describe('the slots of what is sent without a run', () => {
  it('are not taken by what runs send', async () => {
    const dispatcher = dispatcherWith({}, { slots: 1 })
    const answerAll = holdAnswers(0)
    const [ofRun, one, other] = [await endpointAt(use.receiver.url), await endpointAt(use.receiver.url), await endpointAt(use.receiver.url)]
    for (const id of [ofRun, one, other]) await ping(id)
    const delivering = deliver(dispatcher, ofRun)
    await isOut()
    const sending = dispatcher.send(one)
    expect([sending !== undefined, dispatcher.send(other)]).toEqual([true, undefined])
    answerAll()
    expect([await delivering, await sending]).toEqual([{ at: null, waiting: 0 }, 'nothing'])
    expect(await dispatcher.send(other)).toBe('nothing')
  })
})

describe('a dispatcher that is closed', () => {
  it('begins nothing, and leaves what waits to others', async () => {
    const dispatcher = dispatcherWith({})
    await dispatcher.close()
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const { at, waiting } = await deliver(dispatcher, id)
    expect([Date.parse(at ?? '') > Date.now(), waiting, dispatcher.send(id), use.receiver.received]).toEqual([true, 1, undefined, []])
  })
})
