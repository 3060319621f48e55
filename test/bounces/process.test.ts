import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { bounceAddress } from '../../src/adapters/mail/bounceToken.ts'
import { platformKey } from '../../src/store/tenants/platformKey.ts'
import { endProcess } from '../support/childProcesses.ts'
import { storeMail } from '../support/edi/storedMails.ts'
import { BOUNCE_DOMAIN, runBounceProcess, startBounceProcess } from '../support/mail/bounceProcess.ts'
import { dsn } from '../support/mail/dsn.ts'
import { handOver, smtpDialog } from '../support/mail/smtpDialog.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
describe('the bounce process', () => {
  it('takes bounces until it is stopped, even while a connection is open', async () => {
    const { child, port } = await startBounceProcess(market)
    const message_id = await storeMail(market.deps, await market.parked())
    const to = bounceAddress(message_id, BOUNCE_DOMAIN, await platformKey(market.deps.db, 'bounce'))
    expect((await handOver(port, to, dsn()))[1]).toMatch(/^250 /)
    const { rows } = await market.owner().query('select status from edi_messages where message_id = $1', [message_id])
    expect(rows).toEqual([{ status: 'bounced' }])

    const open = await smtpDialog(port)
    await open.say('EHLO relay.example')
    expect(await endProcess(child, 'SIGTERM')).toBe(0)
    open.end()
  })

  it('ends with its parent', async () => {
    const { child } = await startBounceProcess(market)
    const ended = once(child, 'exit')
    child.disconnect()
    expect(await ended).toEqual([0, null])
  })

  it.each([
    [{}, 'MAIL_INBOUND_PORT must be set for a bounce server that runs alone.'],
    [
      { MAIL_INBOUND_PORT: '2525' },
      'MAIL_BOUNCE_DOMAIN must be set when MAIL_INBOUND_PORT is: it is the domain whose mail that port takes.',
    ],
    [
      { MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: BOUNCE_DOMAIN, DATABASE_URL: '' },
      'DATABASE_URL must be set for a bounce server that runs alone.',
    ],
  ])('says in one sentence what %j lacks', async (settings, sentence) => {
    const { child, said } = runBounceProcess(market, { MAIL_INBOUND_PORT: '', MAIL_BOUNCE_DOMAIN: '', ...settings })
    await once(child, 'close')
    expect([child.exitCode, said()]).toEqual([1, `${sentence}\n`])
  })

  it('says in one sentence that its port is taken', async () => {
    const port = new URL(market.baseUrl).port
    const { child, said } = runBounceProcess(market, { MAIL_INBOUND_PORT: port, MAIL_BOUNCE_DOMAIN: BOUNCE_DOMAIN })
    await once(child, 'close')
    await until(() => said() !== '')
    expect(said()).toBe(`The bounce server cannot listen at 127.0.0.1, port ${port} (EADDRINUSE); correct HOST or MAIL_INBOUND_PORT.\n`)
  })
})
