import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { endWithUs, hasEnded } from '../childProcesses.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'

/** A real RabbitMQ on loopback, with its own ports and data directory, that a test may kill and start again. */
export interface Rabbit {
  readonly url: string
  /** Starts the broker on its existing data. */
  start(): Promise<void>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  remove(): Promise<void>
}

/** Debian's script itself runs as the current user, whereas the one on the PATH changes the user. */
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'
export const hasRabbit = existsSync(SERVER)

export async function startRabbit(): Promise<Rabbit> {
  const folder = await temporaryFolder()
  const [port, distribution, names] = [await freePort(), await freePort(), await freePort()]
  await mkdir(join(folder.path, 'log'))
  const env = {
    PATH: process.env.PATH,
    HOME: folder.path,
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `test${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder.path, 'data'),
    RABBITMQ_LOG_BASE: join(folder.path, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder.path, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  }
  const run = (command: string, args: string[]): ChildProcess => {
    const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
    endWithUs(child, () => killGroup(child, 'SIGKILL'))
    return child
  }
  // Starts a name server here, since Erlang would otherwise start a daemon that outlives the test.
  const nameServer = run('epmd', ['-port', String(names), '-address', '127.0.0.1'])
  let server: ChildProcess | undefined
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (server === undefined || hasEnded(server)) return
    const gone = once(server, 'exit')
    if (signal === 'SIGKILL') killGroup(server, signal)
    else server.kill(signal)
    await gone
  }
  const rabbit: Rabbit = {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    async start() {
      server = run(SERVER, [])
      const deadline = Date.now() + 120_000
      while (!(await answers(port))) {
        if (Date.now() > deadline || server.exitCode !== null) throw new Error(`RabbitMQ does not start; see ${folder.path}/log`)
        await sleep(50)
      }
    },
    stop,
    async remove() {
      await stop('SIGKILL')
      killGroup(nameServer, 'SIGKILL')
      await folder.remove()
    },
  }
  try {
    await rabbit.start()
  } catch (error) {
    await rabbit.remove()
    throw error
  }
  return rabbit
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // the process is gone
  }
}

/** Returns whether the broker greets, since an open port does not mean that the broker is up. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(1_000, () => socket.destroy())
  const greeted = new Promise<boolean>((resolve) => {
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.once('data', () => resolve(true))
  })
  socket.write('AMQP\x00\x00\x09\x01')
  try {
    return await greeted
  } finally {
    socket.destroy()
  }
}
