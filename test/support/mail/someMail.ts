import { type ComposedMail, composeMail, type OrderMail } from '../../../src/adapters/mail/composeMail.ts'
import type { MailSettings } from '../../../src/config/index.ts'

export const FROM = 'orders@marketplace.example'
export const TO = 'billing@agency.example'

/** Returns a composed mail that is ready for a Mailer. */
export async function someMail(more: Partial<OrderMail> = {}): Promise<ComposedMail & { envelopeId: string }> {
  const message_id = more.message_id ?? 'edi_01'
  const composed = await composeMail({
    message_id,
    references: [],
    date: new Date('2030-01-01T00:00:00Z'),
    from: FROM,
    to: TO,
    envelopeFrom: FROM,
    subject: 'CONFIRMED ext-1 v1 EST 4711 cable',
    text: 'One line\n.\n.two dots\n\nFrom here on\n',
    headers: { 'Auto-Submitted': 'auto-generated' },
    documents: [{ filename: 'order.xml', contentType: 'application/xml', content: Buffer.from('<adx/>\n') }],
    ...more,
  })
  return { ...composed, envelopeId: message_id }
}

/** Returns settings for a server on this machine. */
export function mailTo(port: number, server: Partial<MailSettings['server']> = {}, more: Partial<MailSettings> = {}): MailSettings {
  return {
    server: { host: '127.0.0.1', port, tls: 'off', auth: undefined, ...server },
    from: FROM,
    bounceDomain: undefined,
    dkim: undefined,
    ...more,
  }
}
