import { beforeEach, describe, expect, it } from '@jest/globals'
import { beginAttempt, countRenderFailure, endAttempt, endUnsent, takeBackAttempt } from '../../../src/store/edi/mailAttempts.ts'
import { freezeContent, readContents } from '../../../src/store/edi/mailContents.ts'
import { claimMails, OPEN_MAILS, readMailState, renewMails, sweepMails } from '../../../src/store/edi/mailQueue.ts'
import { readMailSources } from '../../../src/store/edi/mailSources.ts'
import { readMailSubjects } from '../../../src/store/edi/mailSubjects.ts'
import { listMails, readLatestMail, readMail, readMailDocument, readMailedOrder } from '../../../src/store/edi/mails.ts'
import { planMails } from '../../../src/store/edi/planMails.ts'
import { deleteOldResends, findResend, queueResend } from '../../../src/store/edi/queueResend.ts'
import { anAgreementRow, anOrderRow, insertRows, minutesAgo, PAST, SOON } from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
beforeEach(async () => {
  await db
    .owner()
    .query(`set session_replication_role = replica; delete from edi_messages; delete from edi_documents; delete from edi_attempts;
    delete from edi_resends; delete from outbox; delete from orders; delete from order_events; delete from agreements; set session_replication_role = origin`)
})

let numbers = 0
const mail = (message_id: string, more: Record<string, unknown> = {}) =>
  [
    'edi_messages',
    {
      ...{ message_id, order_id: 'ord_1', seq: ++numbers, agreement_id: 'agr_1', seller: 'seller_one', buyer_entity: 'buyer_one' },
      ...{ thread: message_id, document: 'confirmed', document_id: message_id, created_at: PAST, due_at: PAST, ...more },
    },
  ] as const
const mails = (...rows: Parameters<typeof mail>[]) =>
  insertRows(
    db.owner(),
    rows.map((row) => mail(...row)),
  )
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const statuses = async () =>
  Object.fromEntries((await rows('select message_id, status from edi_messages')).map((row) => [row.message_id, row.status]))
const woken = async () => (await rows(`select target from outbox where kind = 'mail' order by 1`)).map(({ target }) => target)
const claim = async (max = 9) => (await claimMails(db, 'agr_1', max, 60_000)).map(({ message_id }) => message_id)

describe('the mails of an agreement that are due', () => {
  it('are claimed for a lease, the longest due first, so many, the first waiting one of each thread', async () => {
    await mails(
      ['edi_1', { due_at: minutesAgo(1) }],
      ['edi_2', { due_at: minutesAgo(2) }],
      ['edi_3', { due_at: minutesAgo(2) }],
      ['edi_4', { due_at: SOON }],
      ['edi_5', { status: 'sent' }],
      ['edi_6', { agreement_id: 'agr_2' }],
      ['edi_7', { leased_until: SOON }],
      ['edi_8', { leased_until: PAST, due_at: minutesAgo(0.5) }],
      ['edi_9', { thread: 'edi_2', due_at: minutesAgo(9) }],
      ['edi_10', { thread: 'edi_5', due_at: minutesAgo(0.1) }],
      ['edi_11', { thread: 'edi_6', due_at: minutesAgo(0.05) }],
    )
    expect(await claim(3)).toEqual(['edi_2', 'edi_3', 'edi_1'])
    expect(await claim()).toEqual(['edi_8', 'edi_10', 'edi_11'])
    expect(await claim()).toEqual([])
  })

  it('are claimed by one worker alone', async () => {
    await mails(['edi_1'], ['edi_2'])
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select from edi_messages where message_id = 'edi_1' for update`)
      expect(await claim()).toEqual(['edi_2'])
      await client.query('rollback')
    } finally {
      client.release()
    }
  })

  it('say of which event a resent document is', async () => {
    await mails(['edi_1', { status: 'sent', seq: 77 }], ['edi_2', { seq: null, document_id: 'edi_1' }])
    expect(await claimMails(db, 'agr_1', 9, 1)).toMatchObject([{ message_id: 'edi_2', seq: 77, is_frozen: false }])
  })

  it('keep their lease where it is renewed', async () => {
    await mails(['edi_1', { leased_until: PAST }], ['edi_2', { leased_until: PAST }], ['edi_3', { leased_until: PAST, status: 'sent' }])
    await renewMails(db, ['edi_1', 'edi_3'], 60_000)
    expect(await rows('select message_id from edi_messages where leased_until > now() order by 1')).toEqual([{ message_id: 'edi_1' }])
  })

  it('say when the next is due, how many wait, and why the first stuck one is stuck', async () => {
    await mails(
      ['edi_0', { due_at: SOON }],
      ['edi_1', { due_at: SOON, stuck: 'dns' }],
      ['edi_2', { due_at: minutesAgo(3), leased_until: minutesAgo(-9) }],
      ['edi_3', { due_at: minutesAgo(9), thread: 'edi_1', stuck: 'tls' }],
      ['edi_4', { due_at: minutesAgo(9), status: 'sent' }],
      ['edi_5', { due_at: minutesAgo(9), agreement_id: 'agr_2' }],
    )
    const state = await readMailState(db, 'agr_1')
    expect(state).toMatchObject({ waiting: 4, seller: 'seller_one', buyer_entity: 'buyer_one', stuck: 'dns' })
    expect(Date.parse(state.at ?? '')).toBeGreaterThan(Date.now() + 8 * 60_000)
    expect(Date.parse(state.at ?? '')).toBeLessThan(Date.now() + 10 * 60_000)
    await db.owner().query(`update edi_messages set due_at = now() + interval '1 minute' where message_id = 'edi_1'`)
    expect(Date.parse((await readMailState(db, 'agr_1')).at ?? '')).toBeLessThan(Date.now() + 2 * 60_000)
    expect(await readMailState(db, 'agr_none')).toMatchObject({ at: null, waiting: 0, stuck: null })
  })

  it('wake their agreement when they have been due for a minute and nobody has them', async () => {
    const of = (agreement_id: string, more: object = {}) => ({ agreement_id, due_at: minutesAgo(2), ...more })
    await mails(
      ['edi_1', of('agr_1')],
      ['edi_1_b', of('agr_1')],
      ['edi_2', of('agr_2', { due_at: minutesAgo(0.5) })],
      ['edi_3', of('agr_3', { leased_until: SOON })],
      ['edi_4', of('agr_4', { status: 'sent' })],
      ['edi_5', of('agr_5', { due_at: SOON })],
      ['edi_6', of('agr_5', { thread: 'edi_5' })],
      ['edi_7', of('agr_7')],
    )
    await db.owner().query(`insert into outbox (kind, target) values ('mail', 'agr_7'), ('order', 'agr_1')`)
    expect(await sweepMails(db)).toBe(1)
    expect(await woken()).toEqual(['agr_1', 'agr_7'])
    expect((await rows(`select target from (${OPEN_MAILS}) open order by 1`)).map(({ target }) => target)).toEqual([
      ...['agr_1', 'agr_2', 'agr_3', 'agr_5', 'agr_7'],
    ])
  })
})

describe('an attempt', () => {
  const claimed = (message_id: string, attempts: number, more: object = {}) =>
    ({ message_id, attempts, may_have_gone: false, ...more }) as never
  const ended = (message_id: string, n: number, more: object = {}) =>
    ({
      ...{ message_id, n, at: PAST, outcome: 'deferred', reason: 'deferred', code: 450, enhanced: null, latency_ms: 1, status: 'queued' },
      ...{ status_reason: null, stuck: null, due_at: SOON, may_have_gone: false, ...more },
    }) as never

  it('begins once, for a mail that waits as it was claimed', async () => {
    await mails(['edi_1'], ['edi_2', { attempts: 1 }], ['edi_3', { status: 'sent' }], ['edi_4'])
    const begun = ['edi_1', 'edi_2', 'edi_3'].map((id) => beginAttempt(db, claimed(id, 0)))
    expect(await Promise.all(begun)).toEqual([true, false, false])
    expect(await rows('select message_id, attempts from edi_messages order by 1')).toEqual([
      { message_id: 'edi_1', attempts: 1 },
      { message_id: 'edi_2', attempts: 1 },
      { message_id: 'edi_3', attempts: 0 },
      { message_id: 'edi_4', attempts: 0 },
    ])
  })

  it('begins by its own count, whatever begins with it', async () => {
    await mails(['edi_1'], ['edi_2', { attempts: 1 }], ['edi_3'])
    const claims = [claimed('edi_3', 0), claimed('edi_1', 1), claimed('edi_2', 0)]
    expect(await Promise.all(claims.map((claim) => beginAttempt(db, claim)))).toEqual([true, false, false])
  })

  it('keeps the time of the first', async () => {
    await mails(['edi_1', { attempts: 1, first_attempt_at: PAST }], ['edi_2'])
    await Promise.all([beginAttempt(db, claimed('edi_1', 1)), beginAttempt(db, claimed('edi_2', 0))])
    const found = await rows('select first_attempt_at from edi_messages order by message_id')
    expect(found.map(({ first_attempt_at }) => first_attempt_at?.toISOString() === PAST)).toEqual([true, false])
    expect(found[1]?.first_attempt_at).not.toBeNull()
  })

  it('is taken back unless another has begun', async () => {
    await mails(
      ['edi_1', { attempts: 1 }],
      ['edi_2', { attempts: 2 }],
      ['edi_3', { attempts: 1, status: 'sent' }],
      ['edi_4', { attempts: 1 }],
    )
    for (const id of ['edi_1', 'edi_2', 'edi_3']) await takeBackAttempt(db, claimed(id, 0))
    expect((await rows('select attempts from edi_messages order by message_id')).map(({ attempts }) => attempts)).toEqual([0, 2, 1, 1])
  })

  it('moves the mail that it is the last of, and one that was sent in any case', async () => {
    await mails(['edi_1', { attempts: 1 }], ['edi_2', { attempts: 2 }], ['edi_3', { attempts: 2 }], ['edi_4', { status: 'failed' }])
    await mails(['edi_5', { attempts: 1 }])
    await Promise.all([
      endAttempt(db, ended('edi_1', 1, { stuck: 'deferred' })),
      endAttempt(db, ended('edi_2', 1, { stuck: 'deferred' })),
      endAttempt(db, ended('edi_3', 1, { status: 'sent', outcome: 'accepted', due_at: null })),
      endAttempt(db, ended('edi_4', 1, { status: 'sent', outcome: 'accepted' })),
    ])
    const found = await rows('select message_id, status, stuck, sent_at is not null as sent from edi_messages order by 1')
    expect(found.map((row) => Object.values(row).join())).toEqual([
      ...['edi_1,queued,deferred,false', 'edi_2,queued,,false', 'edi_3,sent,,true', 'edi_4,failed,,false', 'edi_5,queued,,false'],
    ])
    expect((await rows('select message_id from edi_attempts order by 1')).map(({ message_id }) => message_id)).toEqual([
      ...['edi_1', 'edi_2', 'edi_3', 'edi_4'],
    ])
    const [{ due }] = await rows(`select due_at = '${PAST}' as due from edi_messages where message_id = 'edi_3'`)
    expect(due).toBe(true)
  })

  it('is not made of a mail that ends before, or cannot be made', async () => {
    await mails(['edi_1'], ['edi_2', { attempts: 1 }], ['edi_3', { status: 'sent' }], ['edi_4'], ['edi_5', { render_failures: 1 }])
    for (const id of ['edi_1', 'edi_2', 'edi_3']) await endUnsent(db, id, 'skipped', 'no_address')
    expect(await countRenderFailure(db, 'edi_4', 2, 'reason')).toBe(false)
    expect(await countRenderFailure(db, 'edi_3', 1, 'reason')).toBe(false)
    expect(await countRenderFailure(db, 'edi_5', 2, 'reason')).toBe(true)
    expect(await statuses()).toEqual({ edi_1: 'skipped', edi_2: 'queued', edi_3: 'sent', edi_4: 'queued', edi_5: 'failed' })
    expect(await rows(`select message_id from edi_messages where status_reason = 'reason'`)).toEqual([{ message_id: 'edi_5' }])
    const [later] = await rows(
      `select due_at between now() + interval '50 s' and now() + interval '61 s' as in_a_minute from edi_messages where message_id = 'edi_4'`,
    )
    expect(later).toEqual({ in_a_minute: true })
  })
})

describe('the content of a mail', () => {
  const content = (message_id: string, more: object = {}) =>
    ({
      ...{ message_id, document: { document: 'confirmed' }, to_address: `${message_id}@x`, sender: 's', message_ref: `ref ${message_id}` },
      ...{ refs: [], subject: 's', filename: 'f', sha256: 'h', warnings: [], made: undefined, ...more },
    }) as never
  const made = { headers: [], terms: {}, descriptors: {}, text: 'the text', scx: Buffer.from('scx'), csv: Buffer.from('csv') }

  it('is frozen once, while the mail waits, and kept once for its document', async () => {
    await mails(['edi_1'], ['edi_2', { message_ref: 'ref' }], ['edi_3', { status: 'skipped' }], ['edi_4', { document_id: 'edi_1' }])
    const frozen = [content('edi_1', { made }), content('edi_2', { made }), content('edi_3', { made }), content('edi_4')]
    expect(await Promise.all(frozen.map((one) => freezeContent(db, one)))).toEqual([true, false, false, true])
    expect(await rows('select document_id, text, scx from edi_documents')).toEqual([
      { document_id: 'edi_1', text: 'the text', scx: Buffer.from('scx') },
    ])
  })

  it('is that of the mail, and of one that is not frozen that of the first mail of its document', async () => {
    const document = { document_id: 'edi_1' }
    await mails(['edi_1'], ['edi_2', document], ['edi_3', document], ['edi_4', document], ['edi_5', { ...document, order_id: 'ord_2' }])
    await mails(['edi_6', { message_ref: 'other' }])
    await Promise.all([
      freezeContent(db, content('edi_1', { made })),
      freezeContent(db, content('edi_3')),
      freezeContent(db, content('edi_2')),
    ])
    const found = await readContents(db, ['edi_1', 'edi_3', 'edi_4', 'edi_5', 'edi_6'])
    expect([...found].map(([id, { to_address, text }]) => `${id} ${to_address} ${text}`).sort()).toEqual([
      ...['edi_1 edi_1@x the text', 'edi_3 edi_3@x the text', 'edi_4 edi_1@x the text'],
    ])
  })
})

describe('the mails of an order', () => {
  beforeEach(async () => {
    await mails(
      ['edi_1', { seq: 3, filename: 'first.scx' }],
      ['edi_2', { seq: 5 }],
      ['edi_3', { seq: null, document_id: 'edi_1' }],
      ['edi_4', { order_id: 'ord_2', seq: 9 }],
    )
    const attempt = { at: PAST, outcome: 'accepted', code: 250, latency_ms: 1 }
    await insertRows(db.owner(), [
      ['edi_attempts', { message_id: 'edi_1', n: 2, ...attempt }],
      ['edi_attempts', { message_id: 'edi_1', n: 1, ...attempt, code: 450 }],
      ['edi_attempts', { message_id: 'edi_2', n: 1, ...attempt, code: 550 }],
      ['edi_documents', { document_id: 'edi_1', headers: '[]', terms: '{}', descriptors: '{}', scx: Buffer.from('scx'), text: 't' }],
    ])
  })

  it('are listed newest first, by page, with their attempts in order', async () => {
    const [third, second, first] = await listMails(db, 'ord_1', { before: undefined, limit: 9 })
    expect([third?.message_id, third?.seq, second?.message_id, first?.message_id]).toEqual(['edi_3', 3, 'edi_2', 'edi_1'])
    expect(first?.attempts.map(({ code }) => code)).toEqual([450, 250])
    expect((await listMails(db, 'ord_1', { before: third?.message_no, limit: 1 })).map(({ message_id }) => message_id)).toEqual(['edi_2'])
    expect((await readLatestMail(db, 'ord_1'))?.message_id).toBe('edi_2')
  })

  it('are read one by one, as those of their order alone', async () => {
    expect(await readMail(db, 'ord_1', 'edi_3')).toMatchObject({ message_id: 'edi_3' })
    expect(await readMail(db, 'ord_1', 'edi_4')).toBeUndefined()
    expect(await readMailDocument(db, 'ord_1', 'edi_3')).toMatchObject({ filename: 'first.scx', scx: Buffer.from('scx') })
    expect(await readMailDocument(db, 'ord_1', 'edi_2')).toMatchObject({ filename: null, scx: null })
    expect(await readMailDocument(db, 'ord_1', 'edi_4')).toBeUndefined()
  })

  it('know the address of the agreement, even if it has ended, and of an order without one', async () => {
    await insertRows(db.owner(), [
      anOrderRow('ord_1', { agreement_id: 'agr_1' }),
      anOrderRow('ord_2'),
      anAgreementRow('agr_1', { status: 'ended', body: '{"edi":{"to":"one@x"}}' }),
      anAgreementRow('agr_2', { body: '{"edi":{"to":"two@x"}}' }),
    ])
    expect(await readMailedOrder(db, 'ord_1')).toMatchObject({ to_address: 'one@x' })
    expect(await readMailedOrder(db, 'ord_2')).toMatchObject({ agreement_id: null, to_address: null })
    expect(await readMailedOrder(db, 'ord_none')).toBeUndefined()
  })
})

describe('what a mail is made from', () => {
  it('is the names of its tenants, the terms of now, the thread before it and the newest document of its order', async () => {
    const gone = { may_have_gone: true, thread: 't', message_ref: 'ref' }
    await mails(
      ['edi_1', { ...gone, order_id: 'ord_0' }],
      ['edi_2', { ...gone }],
      ['edi_3', { ...gone, document_id: 'edi_2' }],
      ['edi_4', { thread: 't' }],
      ['edi_4_b', { ...gone, document_id: 'edi_4' }],
      ['edi_5', { ...gone, thread: 'u' }],
      ['edi_6', { ...gone, agreement_id: 'agr_2' }],
      ['edi_7', { thread: 't' }],
      ['edi_8', gone],
    )
    const document = (document_id: string) =>
      ['edi_documents', { document_id, headers: '[]', terms: `{"of":"${document_id}"}`, descriptors: '{}', text: 't' }] as const
    await db
      .owner()
      .query(
        `insert into tenants (entity, side, name) values ('seller_one', 'seller', 'Seller'), ('buyer_one', 'buyer', 'Buyer') on conflict do nothing`,
      )
    await insertRows(db.owner(), [
      ...[document('edi_1'), document('edi_2'), document('edi_4')],
      ...[anOrderRow('ord_0', { external_order_id: 'other' }), anOrderRow('ord_1', { external_order_id: 'own' })],
      ...[anAgreementRow('agr_1', { body: '{"edi":{"to":"one@x"}}' }), anAgreementRow('agr_2', { body: '{"edi":{"to":"two@x"}}' })],
    ])
    const source = (await readMailSources(db, ['edi_7'])).get('edi_7')
    expect(source).toMatchObject({ agency: 'Buyer', seller: 'Seller', edi: { to: 'one@x' }, terms: { of: 'edi_4' } })
    expect(source?.thread.map(({ external_order_id, is_repeat }) => `${external_order_id} ${is_repeat}`)).toEqual([
      'other false',
      'own false',
      'own true',
      'own false',
    ])
  })

  it('is listed by its id, of one order where it is asked', async () => {
    await mails(['edi_1'], ['edi_2', { order_id: 'ord_2' }], ['edi_3'])
    const ids = async (orderId?: string) => [...(await readMailSubjects(db, ['edi_1', 'edi_2'], orderId)).keys()].sort()
    expect([await ids(), await ids('ord_2')]).toEqual([['edi_1', 'edi_2'], ['edi_2']])
  })
})

describe('planning the mails of an order', () => {
  const EDI = { body: '{"edi":{"to":"one@x"}}', updated_at: minutesAgo(90) }
  const placed = (more: object = {}) => ({ agreement_id: 'agr_1', status: 'placed', placed_at: PAST, closed: true, ...more })
  const queued = async () =>
    (await rows('select order_id, document, thread from edi_messages order by message_no')).map((row) => Object.values(row).join())

  it('queues one for what was placed under an agreement with an address, once', async () => {
    await insertRows(db.owner(), [
      anAgreementRow('agr_1', EDI),
      anAgreementRow('agr_2', { updated_at: minutesAgo(90) }),
      anOrderRow('ord_1', placed()),
      anOrderRow('ord_other', placed()),
      anOrderRow('ord_open', placed({ placed_at: null, status: 'seller_review' })),
      anOrderRow('ord_silent', placed({ agreement_id: 'agr_2' })),
    ])
    for (const id of ['ord_1', 'ord_1', 'ord_open', 'ord_silent', 'ord_none']) await planMails(db, id)
    expect(await queued()).toEqual(['ord_1,confirmed,ord_1'])
    expect(await woken()).toEqual(['agr_1'])
  })

  it('queues those of the family under the same agreement with it', async () => {
    const family = (more: object = {}) => placed({ root: 'ord_1', ...more })
    await insertRows(db.owner(), [
      anAgreementRow('agr_1', EDI),
      anAgreementRow('agr_2', EDI),
      anOrderRow('ord_1', family({ placed_at: minutesAgo(61) })),
      anOrderRow('ord_2', family({ supersedes: 'ord_1' })),
      anOrderRow('ord_3', family({ agreement_id: 'agr_2' })),
      anOrderRow('ord_4', family({ placed_at: null, status: 'seller_review' })),
      anOrderRow('ord_5', family({ root: 'ord_5' })),
    ])
    await planMails(db, 'ord_4')
    expect(await queued()).toEqual([])
    await planMails(db, 'ord_2')
    expect((await queued()).map((each) => each.split(',')[0])).toEqual(['ord_1', 'ord_2'])
  })

  it('leaves out a placement before the agreement last changed, unless its closing is what plans', async () => {
    const changed = { ...EDI, updated_at: minutesAgo(1) }
    await insertRows(db.owner(), [
      anAgreementRow('agr_1', changed),
      anOrderRow('ord_1', placed()),
      anOrderRow('ord_2', placed({ closed: false })),
      anOrderRow('ord_3', placed({ status: 'canceled', last_seq: 2, closed: false })),
      [
        'order_events',
        {
          order_id: 'ord_3',
          seq: 2,
          command_id: 'c',
          ordinal: 0,
          occurred_at: PAST,
          body: '{}',
          hash: '',
          order_seller: 's',
          order_buyer: 'b',
        },
      ],
    ])
    for (const id of ['ord_1', 'ord_2', 'ord_3']) await planMails(db, id)
    expect((await queued()).map((each) => each.split(',').slice(0, 2).join())).toEqual(['ord_2,confirmed', 'ord_3,cancelled'])
  })
})

describe('a resend', () => {
  const request = {
    orderId: 'ord_1',
    tenant: 'buyer_one',
    messageId: 'edi_1',
    key: undefined,
    perDay: 9,
    reply: ({ message_id }: { message_id: string }) => message_id,
  }
  const key = (name: string) => ({ key: name, body_hash: Buffer.from('body') })

  it('queues the document of that mail, and is answered again by its key, of that order and tenant', async () => {
    await insertRows(db.owner(), [anOrderRow('ord_1')])
    await mails(['edi_1', { status: 'sent' }], ['edi_2', { status: 'sent' }])
    const first = await queueResend(db, { ...request, key: key('k') })
    expect(await queueResend(db, { ...request, key: key('k') })).toEqual({ used: first })
    expect(await rows('select document_id, resend_of from edi_messages where resend_of is not null')).toEqual([
      { document_id: 'edi_1', resend_of: 'edi_1' },
    ])
    expect(await woken()).toEqual(['agr_1'])
    const found = [
      findResend(db, 'ord_1', 'buyer_one', key('k')),
      findResend(db, 'ord_2', 'buyer_one', key('k')),
      findResend(db, 'ord_1', 'seller_one', key('k')),
      findResend(db, 'ord_1', 'buyer_one', key('l')),
    ]
    expect((await Promise.all(found)).map((one) => one !== undefined)).toEqual([true, false, false, false])
  })

  it('is bounded by the day, of each tenant and order, and forgotten after two', async () => {
    await insertRows(db.owner(), [anOrderRow('ord_1')])
    await mails(['edi_1', { status: 'sent' }])
    const asked = (message_id: string, more: object = {}) =>
      ['edi_resends', { message_id, order_id: 'ord_1', tenant: 'buyer_one', asked_at: minutesAgo(60), reply: '', ...more }] as const
    await insertRows(db.owner(), [
      asked('edi_a'),
      asked('edi_b', { asked_at: minutesAgo(25 * 60) }),
      asked('edi_c', { tenant: 'seller_one' }),
      asked('edi_d', { order_id: 'ord_2' }),
      asked('edi_e', { asked_at: minutesAgo(49 * 60) }),
      asked('edi_f', { asked_at: minutesAgo(49 * 60) }),
    ])
    expect(await queueResend(db, { ...request, perDay: 2 })).toHaveProperty('reply')
    const refused = (await queueResend(db, { ...request, perDay: 2 })) as { retryAfter: number }
    expect(refused.retryAfter).toBeGreaterThan(22 * 3_600)
    expect(refused.retryAfter).toBeLessThanOrEqual(23 * 3_600)
    expect(await deleteOldResends(db, 1)).toBe(1)
    expect(await deleteOldResends(db, 9)).toBe(1)
  })

  it('of an order without a mail queues that of its last event, once its closing is over', async () => {
    const event = (order_id: string) =>
      [
        'order_events',
        { order_id, seq: 4, command_id: 'c', ordinal: 0, occurred_at: PAST, body: '{}', hash: '', order_seller: 's', order_buyer: 'b' },
      ] as const
    const order = (order_id: string, more: object = {}) =>
      anOrderRow(order_id, { agreement_id: 'agr_1', status: 'placed', placed_at: PAST, closed: true, last_seq: 4, ...more })
    await insertRows(db.owner(), [
      ...['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5'].map(event),
      ['order_events', { ...event('ord_1')[1], seq: 3, command_id: 'b', occurred_at: minutesAgo(99) }],
      order('ord_1'),
      order('ord_2', { status: 'canceled', root: 'ord_1' }),
      order('ord_3', { closed: false }),
      order('ord_4', { placed_at: null, status: 'canceled' }),
      order('ord_5', { status: 'negotiating' }),
    ])
    const first = (orderId: string) => queueResend(db, { ...request, orderId, messageId: undefined })
    for (const id of ['ord_3', 'ord_4', 'ord_5']) expect(await first(id)).toBe('already queued')
    for (const id of ['ord_1', 'ord_2']) expect(await first(id)).toHaveProperty('reply')
    expect(await first('ord_1')).toBe('already queued')
    expect(await rows(`select order_id from edi_messages where created_at <> '${PAST}'`)).toEqual([])
    expect(await rows('select order_id, document, thread, seq from edi_messages order by 1')).toEqual([
      { order_id: 'ord_1', document: 'confirmed', thread: 'ord_1', seq: 4 },
      { order_id: 'ord_2', document: 'cancelled', thread: 'ord_1', seq: 4 },
    ])
  })
})
