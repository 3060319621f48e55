import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail that a test's server has accepted, or has read before it broke off. */
export interface TakenMail {
  readonly from: string
  readonly to: string[]
  readonly raw: Buffer
}

/** A server's treatment of a mail that it has read: `cut` ends the connection without an answer, `hang` never answers. */
export type Treatment = 'accept' | 'cut' | 'hang' | { readonly responseCode: number }

export interface MailServer {
  readonly port: number
  /** The accepted mails, in order. */
  readonly taken: TakenMail[]
  /** The mails that were read, whatever happened to them afterwards. */
  readonly read: TakenMail[]
  /** Decides for each mail; accepts all by default. */
  treat(treatment: (mail: TakenMail) => Treatment): void
  /** Answers every RCPT with this code; undefined accepts them. */
  refuseRecipients(responseCode: number | undefined): void
  /** Ends the connections of mails that hang, without an answer. */
  hangUp(): void
  stop(): Promise<void>
}

/** Starts a real mail server on loopback, without TLS, on a free port unless one is given. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const taken: TakenMail[] = []
  const read: TakenMail[] = []
  const hanging: string[] = []
  let treatmentOf: (mail: TakenMail) => Treatment = () => 'accept'
  let refusal: number | undefined
  const server = new SMTPServer({
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 1,
    onRcptTo: (_address, _session, done) => done(refusal === undefined ? null : refused(refusal)),
    async onData(stream, { id, envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const mail = { from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) }
      read.push(mail)
      const treatment = treatmentOf(mail)
      if (treatment === 'hang') return void hanging.push(id)
      if (treatment === 'cut') return cut(id)
      if (treatment !== 'accept') return done(refused(treatment.responseCode))
      taken.push(mail)
      done()
    },
  })
  const cut = (id: string) => {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    read,
    treat: (treatment) => {
      treatmentOf = treatment
    },
    refuseRecipients: (responseCode) => {
      refusal = responseCode
    },
    hangUp: () => {
      for (const id of hanging.splice(0)) cut(id)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Reads a mail as its receiver does. */
export async function readMail({ raw }: Pick<TakenMail, 'raw'>): Promise<Email & { header(name: string): string | undefined }> {
  const mail = await PostalMime.parse(raw)
  return { ...mail, header: (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value }
}

function refused(responseCode: number): Error {
  return Object.assign(new Error('refused by the test'), { responseCode })
}
