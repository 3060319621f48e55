import { describe, expect, it } from '@jest/globals'
import { orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { useAgreement, useOrderMail } from '../support/edi/useOrderMail.ts'
import { hookedDatabase, type StatementHooks } from '../support/hookedDatabase.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)

let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})
const send = () => mail.sender.sendWithoutRun(agreement)
const statuses = async () => (await mail.messages(agreement)).map(({ status }) => status)

describe('mails that are sent without a run', () => {
  it('need none when all of them have gone', async () => {
    await mail.placed(agreement)
    await mail.placed(agreement)
    expect(await send()).toBe('nothing')
    expect(await statuses()).toEqual(['sent', 'sent'])
    expect(await send()).toBe('nothing')
    expect(mail.server.taken).toHaveLength(2)
  })

  it('leave to a run what waits, and wake the run again after its next attempt', async () => {
    mail.server.treat(() => ({ responseCode: 451 }))
    await mail.placed(agreement)
    expect(await send()).toBe('run')
    mail.server.treat(() => 'accept')
    await mail.makeDue()
    expect(await send()).toBe('run')
    expect(await statuses()).toEqual(['sent'])
  })

  it('wake the run that may have waited for them, since it shows why they waited', async () => {
    await mail.placed(agreement)
    await market.owner().query(`update edi_messages set due_at = now() - interval '1 minute' where agreement_id = $1`, [agreement])
    expect(await send()).toBe('run')
    expect(await statuses()).toEqual(['sent'])
  })

  it('are looked for once more when one became due during the last look', async () => {
    const hooks: StatementHooks = {}
    const db = hookedDatabase(market.deps.db, hooks)
    const hooked = orderMail({ ...market, deps: { ...market.deps, db } }, smtpMailer(mail.server.port))
    await mail.placed(agreement)
    const woken: unknown[] = []
    hooks['read-mail-state'] = {
      after: async () => {
        hooks['read-mail-state'] = {}
        await mail.placed(agreement)
        woken.push(await hooked.sender.sendWithoutRun(agreement))
      },
    }
    expect(await hooked.sender.sendWithoutRun(agreement)).toBe('nothing')
    expect(woken).toEqual(['nothing'])
    expect(await statuses()).toEqual(['sent', 'sent'])
    await hooked.stop()
  })

  it('are left to another process once this one stops', async () => {
    await mail.placed(agreement)
    const sending = send()
    mail.sender.stop()
    expect(await sending).toBe('ends')
    expect(send()).toBeUndefined()
    expect(await statuses()).toEqual(['queued'])
    expect(mail.server.taken).toEqual([])
  })
})
