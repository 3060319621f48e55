import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { Mailer, MailOutcome } from '../../../src/adapters/mail/mailer.ts'
import { openRenderer, type RenderTask } from '../../../src/operations/edi/renderer.ts'
import { errors, orderMail, smtpMailer } from '../../support/edi/orderMail.ts'
import { useAgreement, useOrderMail } from '../../support/edi/useOrderMail.ts'
import { until } from '../../support/until.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)

let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})
const send = () => mail.sender.send(agreement)
const told = () => mail.outcomes(agreement)

describe('a document that ends the rendering thread', () => {
  it('is failed after three times, and the next mails of its thread go on as if it had never gone', async () => {
    const tight = orderMail(market, smtpMailer(mail.server.port), openRenderer({ longestMs: 60_000, heapMib: 4 }))
    const broken = await mail.placed(agreement)
    await mail.cancel(broken)
    for (let times = 1; times <= 3; times += 1) {
      await tight.sender.send(agreement)
      expect((await mail.messages(agreement))[0]).toMatchObject({
        ...{ render_failures: times, attempts: 0, may_have_gone: false },
        ...(times < 3 ? { status: 'queued', leased_until: null } : { status: 'failed', status_reason: 'invalid_document:thread' }),
      })
      await mail.makeDue()
    }
    await tight.stop()
    expect(errors.at(-1)?.message).toBe('an order mail cannot be made and is not sent')
    await mail.placed(agreement)
    await send()
    expect(await told()).toEqual([
      ['confirmed', 'failed', 'invalid_document:thread'],
      ['cancelled', 'skipped', 'nothing_sent'],
      ['confirmed', 'sent', null],
    ])
  }, 60_000)
})

describe('a mail that is made slowly', () => {
  it('does not hold up one that was claimed with it', async () => {
    const renderer = openRenderer()
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = await mail.placed(agreement)
    const isSlow = ({ from }: RenderTask) => 'source' in from && from.source.order.facts.order_id === slow
    const make = async (task: RenderTask) => {
      if (isSlow(task)) await released
      return renderer.make(task)
    }
    const worker = orderMail(market, smtpMailer(mail.server.port), { ...renderer, make })
    await mail.placed(agreement)
    const sending = worker.sender.send(agreement)
    await until(async () => (await mail.messages(agreement))[1]?.status === 'sent')
    expect((await told()).map(([, status]) => status)).toEqual(['queued', 'sent'])
    release()
    await sending
    expect((await told()).map(([, status]) => status)).toEqual(['sent', 'sent'])
    await worker.stop()
  })
})

describe('a sender that is stopped', () => {
  it('takes back the attempts that it has begun and not made: they are due at once, with the same bytes', async () => {
    for (let orders = 0; orders < 12; orders += 1) await mail.placed(agreement)
    const stopped = orderMail(market, smtpMailer(mail.server.port))
    mail.server.treat(() => 'hang')
    const sending = stopped.sender.send(agreement)
    await until(() => mail.server.read.length === 4)
    const refs = (await mail.messages(agreement)).map(({ message_ref }) => message_ref)
    expect(refs).not.toContain(null)
    await stopped.stop()
    mail.server.hangUp()
    await sending
    const rows = await mail.messages(agreement)
    expect(rows.map(({ attempts, may_have_gone, leased_until }) => [attempts, may_have_gone, leased_until])).toEqual([
      ...Array.from({ length: 4 }, () => [1, true, null]),
      ...Array.from({ length: 8 }, () => [0, false, null]),
    ])
    mail.server.treat(() => 'accept')
    await mail.makeDue()
    await send()
    expect((await mail.messages(agreement)).map(({ status, message_ref }) => [status, message_ref])).toEqual(
      refs.map((ref) => ['sent', ref]),
    )
  })
})

describe('two workers', () => {
  /** A worker whose mail server answers when the test calls `answer`. */
  const slowWorker = (leaseMs?: number) => {
    let answer: (outcome: MailOutcome) => void = () => undefined
    let asked = false
    const answered = new Promise<MailOutcome>((resolve) => {
      answer = resolve
    })
    const mailer: Mailer = {
      send() {
        asked = true
        return answered
      },
      close: async () => undefined,
    }
    return { ...orderMail(market, mailer, undefined, leaseMs), asked: () => asked, answer: (outcome: MailOutcome) => answer(outcome) }
  }

  it('never attempt one mail at a time', async () => {
    await mail.placed(agreement)
    const slow = slowWorker()
    const first = slow.sender.send(agreement)
    await until(slow.asked)
    expect(await send()).toMatchObject({ waiting: 1 })
    expect(mail.server.taken).toEqual([])
    slow.answer({ outcome: 'accepted', latency_ms: 1 })
    await first
    expect(await told()).toEqual([['confirmed', 'sent', null]])
    await slow.stop()
  })

  it('do not take a mail from one another, however long an attempt takes: its lease is renewed', async () => {
    await mail.placed(agreement)
    const lease = 400
    const slow = slowWorker(lease)
    const first = slow.sender.send(agreement)
    await until(slow.asked)
    await sleep(2 * lease)
    expect(await send()).toMatchObject({ waiting: 1, sent: 0 })
    expect(mail.server.taken).toEqual([])
    slow.answer({ outcome: 'accepted', latency_ms: 1 })
    await first
    expect(await told()).toEqual([['confirmed', 'sent', null]])
    await slow.stop()
  })

  it('of which one has lost its lease: it changes nothing that the other has done', async () => {
    await mail.placed(agreement)
    const slow = slowWorker()
    const first = slow.sender.send(agreement)
    await until(slow.asked)
    await mail.takeOver()
    await send()
    slow.answer({ outcome: 'refused', code: 550, latency_ms: 1 })
    await first
    expect(await told()).toEqual([['confirmed', 'sent', null]])
    const [message] = await mail.messages(agreement)
    expect(await mail.attempts(message?.message_id as string)).toMatchObject([{ outcome: 'refused' }, { outcome: 'accepted' }])
    await slow.stop()
  })
})
