import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { processArguments } from '../../../src/adapters/ownModule.ts'
import { freePort } from '../../../src/embedded/ports.ts'
import type { TestApp } from '../http/app.ts'

/** The product's SFTP server in a process of its own, which a test may kill. */
export interface SftpProcess {
  readonly port: number
  /** Resident memory, in MiB. */
  memory(): Promise<number>
  /** Everything that it has logged. */
  said(): string
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const MAIN = { path: '../../../sftp/main', from: import.meta.url }

/** Starts `sftp/main.ts` on the database and the drops of a test's app; resolves when it listens. */
export async function startSftpProcess(
  { databaseUrl, dataDir, secretsKey }: Pick<TestApp, 'databaseUrl' | 'dataDir' | 'secretsKey'>,
  env: NodeJS.ProcessEnv = {},
): Promise<SftpProcess> {
  const port = await freePort()
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRETS_KEY: secretsKey.toString('base64'),
    SFTP_PORT: String(port),
    HOST: '127.0.0.1',
    MODE: 'sandbox',
    LOG_LEVEL: 'info',
  }
  const child = spawn(process.execPath, processArguments(MAIN), {
    env: { ...process.env, NODE_OPTIONS: '', ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await ready(child, () => said)
  return {
    port,
    said: () => said,
    memory: async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'close')
      }
      return child.exitCode
    },
  }
}

async function ready(child: ChildProcess, said: () => string): Promise<void> {
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the SFTP server ended with ${code} before it listened: ${said()}`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
}
