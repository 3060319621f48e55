import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { bounceAddress } from '../../src/adapters/mail/bounceToken.ts'
import { platformKey } from '../../src/store/tenants/platformKey.ts'
import { endProcess } from '../support/childProcesses.ts'
import { storeMail } from '../support/edi/storedMails.ts'
import { BOUNCE_DOMAIN, startBounceProcess } from '../support/mail/bounceProcess.ts'
import { dsn } from '../support/mail/dsn.ts'
import { handOver, smtpDialog } from '../support/mail/smtpDialog.ts'
import { useMarket } from '../support/useMarket.ts'
import { attackMs, scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

/** Strangers hold connections to the bounce server, guess return paths and send large mails. Real bounces still arrive, and its memory is bounded. */
const market = useMarket()
const ATTACKERS = ['127.0.0.11', '127.0.0.12', '127.0.0.13']
/** The MiB by which the process may grow. */
const GROWTH = 150
let server: Awaited<ReturnType<typeof startBounceProcess>>
beforeAll(async () => {
  server = await startBounceProcess(market)
  market.beforeStop(() => endProcess(server.child, 'SIGTERM'))
})

describe('a flood of strangers', () => {
  it('does not block a real bounce', async () => {
    const order = await market.parked()
    const message_id = await storeMail(market.deps, order, { seq: 1 })
    const to = bounceAddress(message_id, BOUNCE_DOMAIN, await platformKey(market.deps.db, 'bounce'))
    const bounce = async () => {
      const [recipient, mail] = await handOver(server.port, to, dsn(), { localAddress: '127.0.0.200' })
      if (!recipient?.startsWith('250') || !mail?.startsWith('250')) throw new Error(`${recipient}, ${mail}`)
    }
    await bounce()
    const usual = await quiet(bounce, { calls: scale(5, 100) })
    const before = await server.memory()

    const forged = `edi+${message_id}.0123456789@${BOUNCE_DOMAIN}`
    const large = `${dsn()}${`${'x'.repeat(70)}\r\n`.repeat(15_000)}`
    const answers = { refused: 0, tooLarge: 0, others: 0 }
    const end = Date.now() + attackMs(1_000, 60_000)
    const attack = async (localAddress: string, n: number) => {
      // A third of the connections stay open and say nothing.
      if (n % 3 === 0) {
        const idle = await smtpDialog(server.port, localAddress)
        await sleep(end - Date.now())
        return idle.end()
      }
      while (Date.now() < end) {
        const replies = await handOver(server.port, n % 3 === 1 ? forged : to, large, { localAddress }).catch(() => [''])
        const last = replies.at(-1) ?? ''
        if (last.startsWith('550')) answers.refused += 1
        else if (last.startsWith('552')) answers.tooLarge += 1
        else answers.others += 1
        await sleep(20)
      }
    }
    const attacks = ATTACKERS.flatMap((address) => Array.from({ length: scale(30, 100) }, (_, n) => attack(address, n)))
    const during = await victim(bounce, Promise.all(attacks))
    const grown = Math.round((await server.memory()) - before)
    report('strangers at the bounce server', { ...answers, grown, ...besideQuiet(usual, during) })
    expect(during.failures).toEqual([])
    expect(answers.refused).toBeGreaterThan(0)
    expect(answers.tooLarge).toBeGreaterThan(0)
    expect(grown).toBeLessThan(GROWTH)
    expectWithin(during.p99, Math.max(5 * usual.p99, 250))
    const { rows } = await market.owner().query('select status, status_reason from edi_messages where message_id = $1', [message_id])
    expect(rows).toEqual([{ status: 'bounced', status_reason: '5.1.1' }])
  }, 120_000)
})
