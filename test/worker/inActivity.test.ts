import { describe, expect, it } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import type { Outbound } from '../../src/adapters/http/outboundCall.ts'
import type { Mailer } from '../../src/adapters/mail/mailer.ts'
import { callingInActivities, mailingInActivities } from '../../worker/inActivity.ts'

const said: string[] = []
const outbound = callingInActivities({
  call: async ({ url }) => {
    said.push(url)
    return { latency_ms: 1, status_code: 204 } as unknown as Awaited<ReturnType<Outbound['call']>>
  },
  close: async () => undefined,
})
const mailer = mailingInActivities({
  send: async ({ envelopeId }) => {
    said.push(envelopeId)
    return { outcome: 'accepted', latency_ms: 1 }
  },
  close: async () => undefined,
})
const request = { method: 'POST', url: 'https://receiver.example/', deadline: 1, maxBytes: 1 } as const
const mail = { envelopeId: 'msg_1' } as Parameters<Mailer['send']>[0]

describe('the clients of the worker for servers of others', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a webhook or a call of a seller', () => outbound.call(request)],
    ['a mail', () => mailer.send(mail)],
  ])('send nothing outside an activity: %s', async (_, send) => {
    said.length = 0
    await expect(send()).rejects.toThrow()
    expect(said).toEqual([])
    await new MockActivityEnvironment().run(send)
    expect(said).toHaveLength(1)
  })
})
