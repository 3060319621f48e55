import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { StartFault } from './startFault.ts'

/** Below the range from which systems take the ports of outgoing connections, so that a port is still ours after a restart. */
const LOWEST = 15_000
const HIGHEST = 32_000

/** An asked-for port or a clear fault; else the one remembered from the last run while it is free, else any free one. */
export async function choosePort(wish: {
  askedFor?: number | undefined
  remembered?: number | undefined
  setting: string
}): Promise<number> {
  if (wish.askedFor !== undefined) {
    if (await isFree(wish.askedFor)) return wish.askedFor
    throw new StartFault(
      `${wish.setting} ${wish.askedFor} is taken by another program; choose another port or leave ${wish.setting} unset.`,
    )
  }
  if (wish.remembered !== undefined && (await isFree(wish.remembered))) return wish.remembered
  return freePort()
}

export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port, host)) return port
  }
  throw new StartFault(`No free port was found on ${host} between ${LOWEST} and ${HIGHEST}.`)
}

/** Free means that we may listen there, and that nobody answers: some systems let two programs share a port. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return !(await answers(port, host)) && (await mayListen(port, host))
}

export function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, timeout: 500 })
    const settle = (found: boolean) => {
      socket.destroy()
      done(found)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}

function mayListen(port: number, host: string): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(true)))
  })
}
