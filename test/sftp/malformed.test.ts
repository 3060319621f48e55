import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import ssh2, { type Client, type SFTPWrapper } from 'ssh2'
import { aClock } from '../support/clock.ts'
import { outcomeOf, sftpOf, sftpServers } from '../support/sftp/sftpServers.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const { serverWith, signIn } = sftpServers(app)

interface Line {
  readonly msg: string
  readonly [member: string]: unknown
}

/** A server, and what it logs from `info` on. */
async function logged() {
  const lines: Line[] = []
  const clock = aClock()
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  return { lines, clock, server: await serverWith({}, undefined, { log, ...clock }) }
}

/** Sends a packet of SFTP as it is. */
function sendPacket(sftp: SFTPWrapper, type: number, ...parts: (number | string)[]): void {
  const body = Buffer.concat([
    Buffer.from([type]),
    ...parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part)
      const number = Buffer.alloc(4)
      number.writeUInt32BE(part)
      return number
    }),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const internals = sftp as unknown as { _protocol: { channelData(id: number, data: Buffer): void }; outgoing: { id: number } }
  internals._protocol.channelData(internals.outgoing.id, Buffer.concat([length, body]))
}

const { OPEN, RENAME, MKDIR, FSETSTAT } = { OPEN: 3, RENAME: 18, MKDIR: 14, FSETSTAT: 10 }
const ID = 7
const TOO_LONG = 0x7fffffff

it.each([
  ['MKDIR', [MKDIR, ID, TOO_LONG, 0, 0]],
  ['OPEN', [OPEN, ID, TOO_LONG, 0, 0]],
  ['RENAME', [RENAME, ID, TOO_LONG, 1, 'a']],
  ['FSETSTAT', [FSETSTAT, ID, TOO_LONG, 0, 0]],
  ['a message that is none', [99, ID]],
] as const)('a malformed request ends its connection, and a seller has one line a minute of them: %s', async (_, packet) => {
  const { lines, clock, server } = await logged()
  const send = async () => {
    const connected = await signIn(server)
    const sftp = await sftpOf(connected)
    const [type, ...parts] = packet
    for (let time = 0; time < 10; time++) sendPacket(sftp, type, ...parts)
    await connected.closed
  }
  const about = () => lines.filter(({ msg }) => msg.startsWith('malformed'))
  for (let time = 0; time < 3; time++) await send()
  expect(about()).toEqual([expect.objectContaining({ seller: 'cable', times: 1, what: expect.any(String) })])
  clock.advance(60_000)
  await until(() => about().length > 1)
  expect(about()[1]).toMatchObject({ seller: 'cable', times: 2 })
  clock.advance(60_000)
  await send()
  expect(about()).toHaveLength(3)
  expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

it('a user name of any length takes 128 characters of the log', async () => {
  const { lines, server } = await logged()
  expect(await outcomeOf(signIn(server, 'wrong', 'x'.repeat(20_000)))).not.toBe('done')
  await until(() => lines.some(({ msg }) => msg === 'a sign-in was refused'))
  expect(lines.find(({ msg }) => msg === 'a sign-in was refused')?.user).toBe(`${'x'.repeat(127)}…`)
})

it('a user name with a NUL byte is refused, and not a failure of the database', async () => {
  const { lines, server } = await logged()
  const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519')
  const client = new ssh2.Client()
  client.on('error', () => undefined)
  const closed = new Promise((resolve) => client.once('close', () => resolve(undefined)))
  client.connect({ host: '127.0.0.1', port: server.port, username: 'cable\0', privateKey })
  await closed
  expect(lines.map(({ msg }) => msg)).not.toContain('a sign-in could not be decided')
})

it('a client that goes away is not a malformed request', async () => {
  const { lines, server } = await logged()
  const { client, closed } = await signIn(server)
  ;(client as Client & { _sock: { resetAndDestroy(): void } })._sock.resetAndDestroy()
  await closed
  const { client: next } = await signIn(server)
  next.end()
  expect(lines.filter(({ msg }) => msg.startsWith('malformed'))).toEqual([])
})
