import { createTransport } from 'nodemailer'

/** The limit of order mail: the same bytes by nodemailer alone, over as many connections. Asked by `{port, raw, mails}`, answers the rate. */
process.on('message', ({ port, raw, mails }: { port: number; raw: string; mails: number }) => {
  const transport = createTransport({ host: '127.0.0.1', port, pool: true, maxConnections: 4, ignoreTLS: true })
  const bytes = Buffer.from(raw, 'latin1')
  const envelope = { from: 'orders@marketplace.example.com', to: ['billing@agency.example.com'] }
  const began = performance.now()
  void Promise.all(Array.from({ length: mails }, () => transport.sendMail({ envelope, raw: bytes }))).then(() => {
    const seconds = (performance.now() - began) / 1_000
    transport.close()
    process.send?.({ perSecond: mails / seconds })
  })
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ ready: true })
