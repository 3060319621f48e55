import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { StartupError } from './startupError.ts'

/** These ports are below the range that systems use for outgoing connections, so a port is still free after a restart. */
const LOWEST = 15_000
const HIGHEST = 32_000

export type PortRequest = { setting: string; askedFor?: number | undefined; remembered?: number | undefined; host?: string }

/** Returns the requested port or fails with a clear fault. Without a request, returns the last run's port if it is free, or any free. */
export async function choosePort({ setting, askedFor, remembered, host = '127.0.0.1' }: PortRequest): Promise<number> {
  if (askedFor !== undefined) {
    const obstacle = await whyNotFree(askedFor, host)
    if (obstacle === undefined) return askedFor
    throw new StartupError(`${setting} ${askedFor} ${obstacle}; choose another port or leave ${setting} unset.`)
  }
  if (remembered !== undefined && (await isFree(remembered, host))) return remembered
  return freePort(host)
}

/** Reserves a free port while its future listener starts. Returns a function that releases it. */
export function holdPort(port: number, host = '127.0.0.1'): Promise<() => Promise<void>> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy())
    // Another process already listens there, which the intended listener will report.
    server.once('error', () => done(async () => undefined))
    server.listen({ port, host, exclusive: true }, () => done(() => new Promise((closed) => server.close(() => closed()))))
  })
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port, host)) return port
  }
  throw new StartupError(`No free port was found on ${host} between ${LOWEST} and ${HIGHEST}.`)
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await whyNotFree(port, host)) === undefined
}

/** Checks that this process can listen on the port and that no other answers, since some systems let two programs share a port. */
async function whyNotFree(port: number, host: string): Promise<string | undefined> {
  const code = await whyNotListen(port, host)
  if (code === 'EADDRINUSE') return 'is taken by another program'
  if (code === 'EACCES') return 'needs rights that this user lacks'
  if (code !== undefined)
    throw new StartupError(`HOST ${host} is not an address of this machine (${code}); correct HOST or leave it unset.`)
  return (await answers(port, host)) ? 'is taken by another program' : undefined
}

export function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, timeout: 500 })
    const close = (found: boolean) => {
      socket.destroy()
      done(found)
    }
    socket.once('connect', () => close(true))
    socket.once('timeout', () => close(false))
    socket.once('error', () => close(false))
  })
}

function whyNotListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(undefined)))
  })
}
