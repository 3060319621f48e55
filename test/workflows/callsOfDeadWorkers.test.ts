import { afterAll, describe, expect, it } from '@jest/globals'
import { endProcess } from '../support/childProcesses.ts'
import { workerProcesses } from '../support/engines/workerProcesses.ts'
import type { SellerCall, SellerReply } from '../support/http/sellerServer.ts'
import { until } from '../support/until.ts'
import { servesEverything, useSellerCalls } from './useSellerCalls.ts'

const use = useSellerCalls({ atWork: false })
const { market, declare, created, hold, endOf, comesTo, runOf } = use

describe('a worker that dies or hangs in the middle of a call', () => {
  const workers = workerProcesses()
  afterAll(workers.kill)
  const startWorker = () =>
    workers.start({
      DATABASE_URL: market.databaseUrl,
      TEMPORAL_ADDRESS: use.env.address,
      SECRETS_KEY: market.secretsKey.toString('base64'),
      ALLOW_LOOPBACK_TARGETS: 'true',
    })

  it('neither loses a decision nor makes a second one, in any call', async () => {
    await declare({ approval: 'pull', realtime_availability: true, holds: true })
    // One order in each call that there is, and a hold that is over.
    const [asked, polled] = [await created(), await created()]
    await market.deps.db.pool.query('insert into remote_asks (order_id, accepted, asks, asked_at) values ($1, true, 1, now())', [polled])
    const { hold_id } = (await hold()).body
    await market.acme.delete(`/holds/${hold_id}`)
    use.server.calls.length = 0
    const checked: string[] = []
    const hanging: Readonly<Record<string, readonly string[]>> = {
      'POST /decisions': [asked],
      'GET /decisions': [polled],
      'DELETE /holds': [hold_id],
      'POST /availability': checked,
    }
    const open: { call: SellerCall; answer: (reply: SellerReply) => void }[] = []
    use.server.reply((call) => {
      const about = String(call.body?.order_id ?? call.path.split('/')[2])
      return hanging[call.operation]?.includes(about) ? new Promise((answer) => open.push({ call, answer })) : servesEverything(call)
    })
    const isOpen = (about: string) => open.some(({ call }) => call.text.includes(about) || call.path.includes(about))
    // Availability comes last, in a new request: it is asked for three seconds only.
    const everyCall = async () => {
      await until(() => [asked, polled, hold_id].every(isOpen), 40)
      const orderId = await created()
      checked.push(orderId)
      await until(() => isOpen(orderId), 40)
    }

    const killed = await startWorker()
    await everyCall()
    await endProcess(killed, 'SIGKILL')
    open.length = 0

    const paused = await startWorker()
    await everyCall()
    paused.kill('SIGSTOP')
    // Its heartbeats are missing: Temporal assumes that nothing works on these any more.
    const inside = [asked, polled, checked[1] as string].map(runOf)
    const attempts = () => Promise.all(inside.map(async (run) => Number(((await run.describe()).raw.pendingActivities ?? [])[0]?.attempt)))
    const before = await attempts()
    await until(async () => (await attempts()).every((attempt, n) => attempt > (before[n] ?? 0)), 30)
    use.server.reply(servesEverything)
    for (const { call, answer } of open) answer(servesEverything(call) as SellerReply) // which nobody waits for any more
    paused.kill('SIGCONT')

    const all = [asked, polled, ...checked]
    for (const orderId of all) {
      await comesTo(orderId, 'placed', 60)
      expect((await market.events(orderId)).map(({ status }) => status)).toEqual(['submitted', 'validating', 'seller_review', 'placed'])
    }
    await Promise.all([...all.map((orderId) => runOf(orderId).result()), endOf(hold_id)])
    await endProcess(paused, 'SIGTERM')
    for (const orderId of all) expect(await market.events(orderId)).toHaveLength(4)
    const idsOf = (operation: string, about: string) =>
      new Set(
        use.server.calls.flatMap(({ headers, ...call }) =>
          call.operation === operation && call.text.includes(about) ? headers['webhook-id'] : [],
        ),
      )
    expect(idsOf('POST /decisions', asked)).toEqual(new Set([`${asked}:decision`]))
    for (const orderId of checked) expect(idsOf('POST /availability', orderId)).toEqual(new Set([`${orderId}:availability`]))
  }, 150_000)
})
