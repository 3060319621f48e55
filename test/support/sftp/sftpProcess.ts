import { spawn } from 'node:child_process'
import { processArguments } from '../../../src/adapters/processes/ownModule.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { endProcess, nextMessage, residentMib } from '../childProcesses.ts'
import type { TestApp } from '../http/app.ts'

/** The product's SFTP server in a separate process, which a test may kill. */
export interface SftpProcess {
  readonly port: number
  readonly pid: number | undefined
  /** Returns the resident memory, in MiB. */
  memory(): Promise<number>
  /** Returns everything that it has logged. */
  said(): string
  /** Stops it and resolves with the exit code. */
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
  const closed = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await nextMessage(child, 'the SFTP server', () => said)
  return {
    port,
    pid: child.pid,
    said: () => said,
    memory: () => residentMib(child.pid),
    async stop(signal = 'SIGTERM') {
      const code = await endProcess(child, signal)
      await closed // waits for the rest of its output
      return code
    },
  }
}
