import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openWebhookDispatcher } from '../../src/operations/webhooks/dispatcher.ts'
import { callingInActivities } from '../../worker/inActivity.ts'
import { runIdOf } from '../../worker/runs.ts'
import { QUEUES, WORKFLOWS } from '../../workflows/messages.ts'
import { ORDER_ATTRIBUTES } from '../../workflows/searchAttributes.ts'
import { landDrop } from '../support/drops/drops.ts'
import { type MailServer, startMailServer } from '../support/edi/mailServer.ts'
import { type OrderMail, orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { startedRun } from '../support/engines/orderRun.ts'
import { type Receiver, startReceiver } from '../support/http/receiver.ts'
import { bookOrders } from '../support/settlement/bookOrders.ts'
import { clearedAgreement, placedUnder } from '../support/settlement/clearedOrders.ts'
import { markDue } from '../support/settlement/reconciling.ts'
import { until } from '../support/until.ts'
import { servesEverything, useSellerCalls } from './useSellerCalls.ts'
import { storyNow, useStories } from './useStories.ts'

/**
 * What an operator reads in the history of a run that is no order's, one of each kind: as it goes well, and with a try that failed, which the
 * Temporal UI shows in red or with the number of the attempt. `RECORD=1` writes the histories to otherStories/, for the replay test.
 */
const FOLDER = new URL('otherStories/', import.meta.url)
let server: MailServer
let receiver: Receiver
let mail: OrderMail & { stop(): Promise<void> }
beforeAll(async () => {
  server = await startMailServer()
  receiver = await startReceiver()
})
const use = useSellerCalls({
  more: (market) => {
    const { db, secrets } = market.deps
    mail = orderMail(market, smtpMailer(server.port))
    // A sender that leaves soon: its run waits for the retries.
    const dispatcher = openWebhookDispatcher({ db, outbound: callingInActivities(market.deps.outbound), secrets, stayMs: 100 })
    return { mailSender: mail.sender, dispatcher }
  },
})
const { market, declare, hold } = use
market.beforeStop(() => mail.stop())
afterAll(async () => {
  receiver.close()
  await server.stop()
})

const { storyTo } = useStories(use, FOLDER)

/** So many writes of a table fail, as they would if the database refused them. */
async function refuseWrites(table: string, times: number): Promise<void> {
  await market.owner().query(`drop sequence if exists refused; create sequence refused; grant usage on sequence refused to public;
    create or replace function refuse_write() returns trigger language plpgsql as $$ begin
      if nextval('refused') <= ${times} then raise 'refused by the test'; end if; return new; end $$;
    create trigger refuse_write before insert or update on ${table} for each row execute function refuse_write()`)
  afterwards = () => market.owner().query(`drop trigger if exists refuse_write on ${table}`)
}
let afterwards: () => Promise<unknown> = async () => undefined
afterEach(() => afterwards())

const wake = (kind: string, target: string) => market.owner().query('insert into outbox (kind, target) values ($1, $2)', [kind, target])

describe('the history of deliveries to an endpoint', () => {
  const pinged = async () => {
    const id = (await market.acme.post('/webhooks/endpoints', { url: receiver.url })).body.endpoint_id as string
    await market.acme.post(`/webhooks/endpoints/${id}/test`, undefined)
    return id
  }

  it('tells how many arrived', async () => {
    const id = await pinged()
    expect(await storyTo(runIdOf('endpoint', id), 'delivered')).toEqual([
      'step deliver',
      'result {"at":null,"delivered":1,"waiting":0,"last_status":204}',
    ])
  })

  it('tells which retry it waits for, after an answer that is none', async () => {
    const replies = [500]
    receiver.answer((res) => res.writeHead(replies.shift() ?? 204).end())
    const id = await pinged()
    expect(await storyTo(runIdOf('endpoint', id), 'deliveredAgain')).toEqual([
      'step deliver',
      'timer retry 2 of 3',
      'timer retry 2 of 3: fired',
      'step deliver',
      'result {"at":null,"delivered":1,"waiting":0,"last_status":204}',
    ])
  })

  it('tells that the step itself failed', async () => {
    await refuseWrites('endpoint_senders', 1)
    const id = await pinged()
    expect(await storyTo(runIdOf('endpoint', id), 'deliverFailed')).toEqual([
      'step deliver (attempt 2, after unexpected)',
      'result {"at":null,"delivered":1,"waiting":0,"last_status":204}',
    ])
  })
})

describe('the history of the mails of an agreement', () => {
  it('tells how many were sent', async () => {
    await mail.agree('agr-sent')
    await mail.placed('agr-sent')
    expect(await storyTo(runIdOf('mail', 'agr-sent'), 'mailed')).toEqual(['step send mails', expect.stringContaining('"sent":1')])
  })

  it('shows in red that a mail was not accepted', async () => {
    await mail.agree('agr-deferred')
    server.treat(() => ({ responseCode: 451 }))
    await mail.placed('agr-deferred')
    const run = await startedRun(use.env.client, runIdOf('mail', 'agr-deferred'), 60)
    await until(async () => (await storyNow(run)).includes('timer next attempt'))
    server.treat(() => 'accept')
    await mail.makeDue()
    await wake('mail', 'agr-deferred')
    expect(await storyTo(runIdOf('mail', 'agr-deferred'), 'mailDeferred')).toEqual([
      'step send mails: failed (mail:deferred)',
      'timer next attempt',
      'step send mails',
      expect.stringContaining('"sent":1'),
    ])
  })
})

describe('the history of a file drop', () => {
  const landed = async (drop_id: string, units: number) => {
    const text = `product_id,period.grain,period.start,state,spots.available\nprime,week,2030-W23,available,${units}`
    await landDrop(market.deps, { seller: 'cable', drop_id }, [{ filename: 'avails.csv', type: 'avails', text }])
    return runIdOf('drop', `cable/${drop_id}`)
  }

  const BEGINS = ['stage fetch', 'step fetch the files', 'stage publish', 'step publish catalog and rate cards', 'stage avails']
  const POSTS = ['stage posts', 'step store delivery posts']
  const ENDS = [...POSTS, 'stage finish', 'step write the result', 'stage ended', 'result undefined']

  it('tells its stages', async () => {
    expect(await storyTo(await landed('well', 7), 'dropped')).toEqual([...BEGINS, 'step merge avails', ...ENDS])
  }, 120_000)

  it('shows in red that a stage failed, and goes on from there', async () => {
    await refuseWrites('avails', 3)
    expect(await storyTo(await landed('refused', 8), 'dropFailed')).toEqual([
      ...BEGINS,
      'step merge avails (attempt 3, after unexpected): failed (unexpected)',
      'stuck unexpected',
      'timer again after a failure',
      'timer again after a failure: fired',
      'step merge avails',
      'stuck null',
      ...ENDS,
    ])
  }, 120_000)
})

describe('the history of a hold', () => {
  beforeAll(async () => {
    await declare({ holds: true })
  })
  const expired = async () => {
    const { hold_id } = (await hold()).body
    const run = await startedRun(use.env.client, runIdOf('hold', hold_id), 60)
    await until(async () => (await storyNow(run)).includes('timer hold expires'))
    await market.owner().query(`update holds set expires_at = now() where hold_id = $1`, [hold_id])
    await wake('hold', hold_id)
    return runIdOf('hold', hold_id)
  }

  it('tells that its seller was told of the end', async () => {
    expect(await storyTo(await expired(), 'held')).toEqual(['timer hold expires', 'step the hold is over', 'result undefined'])
  })

  it('tells that the seller did not answer at first', async () => {
    const replies = [{ status: 503 }]
    use.server.reply((call) => (call.method === 'DELETE' && replies.shift()) || servesEverything(call))
    const story = await storyTo(await expired(), 'holdUnreachable')
    expect(story).toEqual(['timer hold expires', 'step the hold is over (attempt 2, after unreachable)', 'result undefined'])
  })
})

describe('the history of the reconciliations of a seller', () => {
  const book = (order_id: string, seller: string) => bookOrders(market.deps.db, { order_id, seller, units: ['u'] })
  const due = async (order_id: string, seller: string) => {
    await markDue(market.deps.db, seller, [order_id])
    await wake('reconcile', seller)
    return runIdOf('reconcile', seller)
  }
  const windowsOf = (order_id: string, windows: string) =>
    market.owner().query('update booked_spots set windows = $2 where order_id = $1', [order_id, windows])

  it('is one step', async () => {
    await book('ord_well', 'cable')
    expect(await storyTo(await due('ord_well', 'cable'), 'reconciled')).toEqual(['step reconcile what is due', 'result undefined'])
  })

  it('tells that an order could not be reconciled', async () => {
    await book('ord_refused', 'station')
    await windowsOf('ord_refused', '[{"start":null,"end":null}]')
    const run = await startedRun(use.env.client, await due('ord_refused', 'station'), 60)
    await until(async () => (await run.describe()).typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStuckReason) === 'reconcile:failing')
    await windowsOf('ord_refused', '[{"start":"20:00","end":"23:00"}]')
    expect(await storyTo(await due('ord_refused', 'station'), 'reconcileFailing')).toEqual([
      'step reconcile what is due',
      'stuck reconcile:failing',
      'timer next order',
      'step reconcile what is due',
      'stuck null',
      'result undefined',
    ])
  })
})

describe('the history of a scheduled run', () => {
  const scheduled = async (name: 'housekeeping' | 'settlement') => {
    await use.env.client.workflow.start(WORKFLOWS[name], { workflowId: name, taskQueue: QUEUES.orders, args: [] })
    return name
  }

  it('of housekeeping tells what it deletes', async () => {
    expect(await storyTo(await scheduled('housekeeping'), 'kept')).toEqual([
      'step lapse uploads, delete old files',
      'step delete old deliveries',
      'result undefined',
    ])
  })

  it('of the settlement tells that invoices were issued, after an order that could not be invoiced', async () => {
    const id = await placedUnder(market.deps.orders, await clearedAgreement(market.deps.db))
    await until(async () => (await market.owner().query('select from orders where order_id = $1 and closed', [id])).rowCount === 1)
    await market.owner().query(`update orders set invoice_due_at = now() - interval '1 day' where order_id = $1`, [id])
    await refuseWrites('orders', 1)
    expect(await storyTo(await scheduled('settlement'), 'settled')).toEqual([
      'step issue invoices (attempt 2, after invoices_left)',
      'result undefined',
    ])
  })
})
