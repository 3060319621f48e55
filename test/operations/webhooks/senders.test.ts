import { describe, expect, it } from '@jest/globals'
import { openWebhookDispatcher } from '../../../src/operations/webhooks/dispatcher.ts'
import { callSender, listenSenders, takeEndpoint } from '../../../src/store/delivery/endpointSenders.ts'
import { hookedDatabase, moment, type StatementHooks } from '../../support/hookedDatabase.ts'
import { settled, until } from '../../support/until.ts'
import { delivering, STAYS_MS, useDispatcher } from './useDispatcher.ts'

const use = useDispatcher()
const { market, outbound, endpointAt, ping, logOf, holdAnswers } = use
const isOut = () => until(() => use.receiver.received.length > 0)

/** A dispatcher of its own, with what happens around its statements. */
function dispatcherWith(hooks: StatementHooks, options: { elapsed?: () => number; stayMs?: number } = {}) {
  const db = hookedDatabase(market.deps.db, hooks)
  const { elapsed, stayMs = STAYS_MS } = options
  return openWebhookDispatcher({ db, secrets: market.deps.secrets, outbound, stayMs }, elapsed && { elapsed })
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
    const sending = delivering(dispatcher, id)
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
    expect(await sending).toEqual({ at: null, waiting: 0, delivered: 2, last_status: 204 })
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
    const sending = delivering(dispatcher, id)
    await isOut()
    hooks['leave-endpoints'] = {
      after: async () => {
        delete hooks['leave-endpoints']
        await ping(id)
        dispatcher.wake(id)
      },
    }
    const closing = dispatcher.close()
    answerAll()
    expect(await sending).toMatchObject({ at: expect.any(String), delivered: 1 })
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
    const sending = delivering(dispatcher, id)
    await isOut()
    now += 91_000
    await expect(sending).rejects.toThrow('see the log of the worker')
    delete hooks['leave-endpoints']
    await ping(id)
    expect(await delivering(dispatcher, id)).toMatchObject({ at: null, delivered: 1 })
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
    const sending = delivering(dispatcher, id)
    await isOut()
    const answered = moment()
    hooks['renew-endpoints'] = { before: () => answered.has }
    now += 4_001
    await ping(id)
    dispatcher.wake(id)
    answerAll()
    expect(await sending).toMatchObject({ at: expect.any(String), waiting: 1 })
    answered.come()
    expect(use.receiver.received).toHaveLength(1)
  })
})

describe('an endpoint that another worker has', () => {
  it('is looked at again although nothing waits, since that worker may be dead and everything is left to it', async () => {
    const { pool } = market.deps.db
    const id = await endpointAt(use.receiver.url)
    expect(await takeEndpoint(pool, { endpointId: id, sender: 'a dead worker' })).toBe('taken')
    const dispatcher = dispatcherWith({})
    const again = await delivering(dispatcher, id)
    expect(again).toEqual({ at: expect.any(String), waiting: 0, delivered: 0, last_status: null, next: 'another worker sends' })
    expect(await callSender(pool, id)).toBe(true)
    await pool.query('update endpoint_senders set held_until = now() where endpoint_id = $1', [id])
    expect(await delivering(dispatcher, id)).toMatchObject({ at: null, waiting: 0 })
  })
})

describe('a sender with nothing left to send', () => {
  it('stays for some time, and hears that it is called', async () => {
    const dispatcher = dispatcherWith({}, { stayMs: 60_000 })
    const heard: string[] = []
    const calls = listenSenders(market.databaseUrl, (called) => {
      heard.push(called)
      dispatcher.wake(called)
    })
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const sending = delivering(dispatcher, id)
    await isOut()
    await until(async () => (await logOf(id))[0]?.status === 'delivered')
    await settled()
    const { event_id } = await ping(id)
    expect(await callSender(market.deps.db.pool, id)).toBe(true)
    await until(() => use.receiver.received.some(({ headers }) => headers['webhook-id'] === event_id))
    expect(heard).toEqual([id])
    await dispatcher.close()
    expect(await sending).toMatchObject({ waiting: 0, delivered: 2, last_status: 204 })
    expect(await callSender(market.deps.db.pool, id)).toBe(false)
    await calls.close()
  })

  it('looks each second, so that a call that is lost costs no more', async () => {
    const dispatcher = dispatcherWith({}, { stayMs: 60_000 })
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const sending = delivering(dispatcher, id)
    await isOut()
    await ping(id)
    await until(() => use.receiver.received.length === 2, 3)
    await dispatcher.close()
    await sending
  })

  it('leaves a retry that is due after its stay to its run, which says what it waits for', async () => {
    use.receiver.answer((res) => res.writeHead(500).end())
    const dispatcher = dispatcherWith({}) // the product's waits: two seconds, and eight
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    expect(await delivering(dispatcher, id)).toEqual({
      ...{ at: expect.any(String), waiting: 1, delivered: 0, last_status: 500, next: 'retry 2 of 3' },
    })
    await market.acme.delete(`/webhooks/endpoints/${id}`)
  })
})

describe('a dispatcher that is closed', () => {
  it('begins nothing, and leaves what waits to others', async () => {
    const dispatcher = dispatcherWith({})
    await dispatcher.close()
    const id = await endpointAt(use.receiver.url)
    await ping(id)
    const { at, waiting } = await delivering(dispatcher, id)
    expect([Date.parse(at ?? '') > Date.now(), waiting, use.receiver.received]).toEqual([true, 1, []])
  })
})
