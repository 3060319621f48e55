import { describe, expect, it } from '@jest/globals'
import type { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { type MailActivityDeps, mailActivities } from '../../../activities/mails.ts'
import type { MailState } from '../../../src/domain/edi/mailState.ts'
import { useAgreement, useOrderMail } from '../../support/edi/useOrderMail.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)
let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})
const activity = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') })
const send = (mailSender: MailActivityDeps['mailSender'], env = activity()) =>
  env.run<[], MailState, () => Promise<MailState>>(() => mailActivities({ db: market.deps.db, mailSender }).sendMails(agreement))

describe('the step that sends the mails of an agreement', () => {
  it('says what it has sent, and that nothing waits', async () => {
    await mail.placed(agreement)
    expect(await send(mail.sender)).toMatchObject({ at: null, waiting: 0, sent: 1, stuck: null })
    expect(mail.server.taken).toHaveLength(1)
  })

  it('fails where an attempt has failed, for good, with what is left and why', async () => {
    mail.server.treat(() => ({ responseCode: 451 }))
    await mail.placed(agreement)
    const failure = await send(mail.sender).catch((error: ApplicationFailure) => error)
    expect(failure).toMatchObject({
      ...{ type: expect.stringMatching(/^mail:./), nonRetryable: true },
      details: [{ at: expect.any(String), waiting: 1 }],
    })
    expect(failure).not.toHaveProperty(['details', '0', 'failed'])
  })

  it('attempts nothing once its worker stops', async () => {
    await mail.placed(agreement)
    const env = activity()
    env.cancel()
    expect(await send(mail.sender, env)).toMatchObject({ waiting: 1, sent: 0 })
    expect(mail.server.taken).toEqual([])
  })

  it('looks in an hour again where its worker has no mail server, and says so', async () => {
    const began = Date.now()
    expect(await send(undefined)).toMatchObject({ at: null, stuck: null })
    await mail.placed(agreement)
    const { at, stuck, waiting } = await send(undefined)
    expect([stuck, waiting]).toEqual(['not_set_up', 1])
    const minutes = (Date.parse(at ?? '') - began) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(60)
    expect(minutes).toBeLessThan(61)
  })
})
