import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { startApiProcess } from '../support/http/apiProcess.ts'
import { startSftpProcess } from '../support/sftp/sftpProcess.ts'
import { useApp } from '../support/useApp.ts'
import { report } from './support/table.ts'

/** More than the 511 that Node asks the kernel to keep by default, and fewer than any Linux keeps when it is asked for more. */
const BURST = 1_000

const app = useApp()

/** How many of a burst are connected while the process that listens does nothing at all. Connections that were dropped are tried again in that time. */
async function connectedWhilePaused(name: string, pid: number | undefined, port: number): Promise<number> {
  if (pid === undefined) throw new Error('There is no process to pause.')
  process.kill(pid, 'SIGSTOP')
  const sockets: Socket[] = []
  let connected = 0
  try {
    const all = new Promise<void>((resolve) => {
      while (sockets.length < BURST) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.2.${1 + (sockets.length % 50)}` })
        socket.once('connect', () => ++connected === BURST && resolve())
        sockets.push(socket)
      }
    })
    await Promise.race([all, sleep(8_000, undefined, { ref: false })])
    report(`a burst of connections at ${name} that accepts none`, { connections: BURST, connected })
    return connected
  } finally {
    for (const socket of sockets) socket.destroy()
    process.kill(pid, 'SIGCONT')
  }
}

describe('a burst of connections at a server that is busy', () => {
  it('is kept for the API until it accepts them', async () => {
    const api = await startApiProcess(app)
    try {
      expect(await connectedWhilePaused('the API', api.pid, Number(new URL(api.baseUrl).port))).toBe(BURST)
    } finally {
      await api.stop()
    }
  })

  it('is kept for the SFTP server until it accepts them', async () => {
    const sftp = await startSftpProcess(app)
    try {
      expect(await connectedWhilePaused('the SFTP server', sftp.pid, sftp.port)).toBe(BURST)
    } finally {
      await sftp.stop('SIGKILL')
    }
  })
})
