import { type ChildProcess, spawn } from 'node:child_process'
import { processArguments } from '../../../src/adapters/processes/ownModule.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { nextMessage, residentMib } from '../childProcesses.ts'
import type { TestApp } from '../http/app.ts'

/** The product's bounce server in a separate process. */
export interface BounceProcess {
  readonly child: ChildProcess
  /** Returns its output so far. */
  said(): string
}

export const BOUNCE_DOMAIN = 'bounces.marketplace.example'
const MAIN = { path: '../../../bounces/main', from: import.meta.url }

/** Starts `bounces/main.ts` on the database of a test's app, with these settings. */
export function runBounceProcess(
  { databaseUrl, dataDir, secretsKey }: Pick<TestApp, 'databaseUrl' | 'dataDir' | 'secretsKey'>,
  settings: NodeJS.ProcessEnv,
): BounceProcess {
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRETS_KEY: secretsKey.toString('base64'), HOST: '127.0.0.1' }
  const child = spawn(process.execPath, processArguments(MAIN), {
    env: { ...process.env, NODE_OPTIONS: '', ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text
    })
  return { child, said: () => said }
}

/** Starts it, and resolves with its port when it listens. */
export async function startBounceProcess(app: TestApp): Promise<BounceProcess & { port: number; memory(): Promise<number> }> {
  const port = await freePort()
  const running = runBounceProcess(app, { MAIL_INBOUND_PORT: String(port), MAIL_BOUNCE_DOMAIN: BOUNCE_DOMAIN })
  await nextMessage(running.child, 'the bounce server', running.said)
  return { ...running, port, memory: () => residentMib(running.child.pid) }
}
