import { spawn } from 'node:child_process'
import { processArguments } from '../../../src/adapters/processes/ownModule.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { endProcess, hasEnded, nextMessage, residentMib } from '../childProcesses.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'
import type { TestApp } from './app.ts'

/** The product's own API in a separate process, which a test may flood, starve and measure. */
export interface ApiProcess {
  readonly baseUrl: string
  readonly pid: number | undefined
  /** Returns the resident memory, in MiB. */
  memory(): Promise<number>
  /** Returns whether it has ended, by itself or by a signal. */
  isDead(): boolean
  stop(): Promise<void>
}

const MAIN = { path: '../../../api/main', from: import.meta.url }

/** Starts `api/main.ts` on the database of a test's app, whose tokens it accepts; resolves when it listens. */
export async function startApiProcess(
  { databaseUrl, secretsKey }: Pick<TestApp, 'databaseUrl' | 'secretsKey'>,
  { env = {}, nodeOptions = [] }: { env?: NodeJS.ProcessEnv; nodeOptions?: readonly string[] } = {},
): Promise<ApiProcess> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: secretsKey.toString('base64'),
    DATA_DIR: folder.path,
    PORT: String(port),
    HOST: '127.0.0.1',
    MODE: 'sandbox',
  }
  const child = spawn(process.execPath, [...nodeOptions, ...processArguments(MAIN)], {
    env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'error', ...settings, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await nextMessage(child, 'the API')
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    pid: child.pid,
    memory: () => residentMib(child.pid),
    isDead: () => hasEnded(child),
    async stop() {
      await endProcess(child, 'SIGKILL')
      await folder.remove()
    },
  }
}
