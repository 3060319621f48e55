import { describe, expect, it } from '@jest/globals'
import { type AttemptSink, attemptWriter } from '../../../src/operations/webhooks/attemptWriter.ts'
import type { Written } from '../../../src/store/delivery/attempts.ts'
import { hookedDatabase } from '../../support/hookedDatabase.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const TOO_MANY = 99_999_999_999 // for the column of the attempts

/** A writer whose first statements fail, as if the database were away, and how many it has sent. */
function writing(fails = 0) {
  let statements = 0
  const before = () => {
    statements += 1
    if (statements <= fails) throw new Error('away')
  }
  return { writer: attemptWriter(hookedDatabase(db, { 'write-attempts': { before } }), 1), statements: () => statements }
}

function anEndpoint(endpointId: string) {
  const told: unknown[][] = []
  const sink: AttemptSink = {
    endpointId,
    onWritten: (written) => void told.push(['written', written.length]),
    onFailure: (written, error) => void told.push(['failed', written.length, (error as Error).message]),
  }
  return { ...sink, told }
}

const anAttempt = (delivery_no: string, made = 0): Written => ({
  due: { delivery_no, made, order_id: null, event_id: 'evt_1', body: '{}', firstAt: undefined, lastTook: undefined, attempts: '[]' },
  attempt: { at: new Date().toISOString(), status_code: 204, latency_ms: 1 },
  status: 'delivered',
  dueAt: Date.now(),
})

describe('attempts that have ended', () => {
  it('are written together, and once more where the database fails', async () => {
    const { writer, statements } = writing(2)
    const [one, other] = [anEndpoint('whe_1'), anEndpoint('whe_2')]
    writer.add(one, anAttempt('1'))
    writer.add(other, anAttempt('1'))
    writer.add(one, anAttempt('2'))
    await until(() => other.told.length > 0)
    expect([one.told, other.told, statements()]).toEqual([[['written', 2]], [['written', 1]], 3])
    writer.add(other, anAttempt('2'))
    await until(() => other.told.length > 1)
    expect([other.told[1], statements()]).toEqual([['written', 1], 4])
  })

  it('are written by endpoint after five tries, so that those which cannot be fail alone', async () => {
    const { writer, statements } = writing()
    const [good, bad] = [anEndpoint('whe_1'), anEndpoint('whe_2')]
    writer.add(bad, anAttempt('1', TOO_MANY))
    writer.add(good, anAttempt('1'))
    await until(() => good.told.length + bad.told.length === 2)
    expect([good.told, bad.told, statements()]).toEqual([[['written', 1]], [['failed', 1, expect.stringContaining('out of range')]], 7])
  })

  it('are tried no more often where they are of one endpoint', async () => {
    const { writer, statements } = writing()
    const bad = anEndpoint('whe_2')
    writer.add(bad, anAttempt('1', TOO_MANY))
    await until(() => bad.told.length > 0)
    expect([bad.told, statements()]).toEqual([[['failed', 1, expect.stringContaining('out of range')]], 5])
  })
})
