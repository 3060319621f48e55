import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { listMailFiles, mailFileName } from '../../adapters/mail/mailFiles.ts'

/** A mail server on this machine that stores every mail as a file and forwards none. */
export interface Mailbox {
  /** An SMTP URL without encryption. */
  readonly url: string
  stop(): Promise<void>
}

const KEPT = 1_000
/** The most bytes of a mail, more than that of the largest order has. */
const LARGEST = 32 * 1024 * 1024
const CONNECTIONS = 16

/** Starts the sandbox's mail server. Writes each mail to a file of `folder` before the 250 reply, and keeps the newest 1,000. */
export async function startMailbox(folder: string, kept = KEPT): Promise<Mailbox> {
  await makeFolder(folder, 0o700)
  const files = (await listMailFiles(folder)).map(({ mail_id }) => `${mail_id}.eml`).reverse()
  for (const left of (await readdir(folder)).filter((name) => name.endsWith(PART))) await rm(join(folder, left), { force: true })
  let count = 0
  const keep = async (mail: Buffer) => {
    const name = mailFileName(mail, Date.now(), count++)
    const path = join(folder, name)
    await writeFile(path + PART, mail, { mode: 0o600 })
    await rename(path + PART, path)
    files.push(name)
    for (const old of files.splice(0, Math.max(0, files.length - kept))) await rm(join(folder, old), { force: true })
  }
  const server = new SMTPServer({
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    maxClients: CONNECTIONS,
    size: LARGEST,
    closeTimeout: 1_000,
    onData: (stream, _session, done) => {
      read(stream)
        .then((mail) => (mail === undefined ? Promise.reject(tooLarge()) : keep(mail)))
        .then(() => done(), done)
    },
  })
  server.on('error', () => undefined) // an error of a single connection
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  }
}

const PART = '.part'

/** Reads a mail; undefined if it is too large. */
async function read(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    if (stream.sizeExceeded) chunks.length = 0
    else chunks.push(chunk as Buffer)
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks)
}

function tooLarge(): Error {
  return Object.assign(new Error(`A mail may have ${LARGEST} bytes.`), { responseCode: 552 })
}
