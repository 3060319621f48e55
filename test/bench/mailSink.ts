import { SMTPServer } from 'smtp-server'

/** A mail server that takes everything. Asked, it says how many mails came, and the bytes of the last one. */
let came = 0
let last = ''

const server = new SMTPServer({
  disableReverseLookup: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  async onData(stream, _session, done) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    last = Buffer.concat(chunks).toString('latin1')
    came += 1
    done()
  },
})
process.on('message', () => void process.send?.({ came, last }))
process.on('SIGTERM', () => process.exit(0))
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }))
