import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { endProcess, endWithUs, hasEnded } from '../childProcesses.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'
import { freePorts } from '../freePorts.ts'
import { until } from '../until.ts'
import type { GoProgram } from './goProgram.ts'

/** Temporal's own server, the program that clusters consist of, in memory. */
export interface TemporalServer {
  readonly address: string
  stop(): Promise<void>
}

/** The credentials with which both sides prove themselves: files, or their contents for the calls of this process. */
export interface Mutual {
  /** The authority of both sides. */
  readonly ca: string
  /** The name in the server's certificate. */
  readonly name: string
  readonly server: { readonly cert: string; readonly key: string }
  readonly client: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer }
}

export const TEMPORAL_SERVER: GoProgram = {
  what: "Temporal's own server",
  name: 'temporal-server',
  module: { path: 'go.temporal.io/server/cmd/server', version: 'v1.29.1' },
}

const SERVICES = ['frontend', 'history', 'matching', 'worker']

/** Starts the server, with client certificates required at its frontend, and creates the namespace `default`. */
export async function startTemporalServer(program: string, mutual: Mutual): Promise<TemporalServer> {
  const folder = await temporaryFolder()
  const first = await freePorts(2 * SERVICES.length)
  await writeFile(join(folder.path, 'test.yaml'), JSON.stringify(settingsOf(first, mutual))) // JSON is YAML
  const child = spawn(program, ['--root', folder.path, '--config', '.', '--env', 'test', '--allow-no-auth', 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  endWithUs(child)
  const address = `127.0.0.1:${first}`
  await makeNamespace(child, address, mutual)
  return {
    address,
    async stop() {
      await endProcess(child, 'SIGKILL')
      await folder.remove()
    },
  }
}

const DAY = 86_400

async function makeNamespace(child: ChildProcess, address: string, { name, client }: Mutual): Promise<void> {
  const tls = { serverNameOverride: name, serverRootCACertificate: client.ca, clientCertPair: { crt: client.cert, key: client.key } }
  let connection: Connection | undefined
  await until(async () => {
    if (hasEnded(child)) throw new Error(`the Temporal server ended with ${child.exitCode}`)
    connection = await Connection.connect({ address, tls }).catch(() => undefined)
    return connection !== undefined
  }, 60)
  const { workflowService } = connection as Connection
  const succeeds = (call: Promise<unknown>, unless: RegExp) =>
    call.then(
      () => true,
      ({ message }: Error) => unless.test(message),
    )
  const namespace = { namespace: 'default', workflowExecutionRetentionPeriod: { seconds: DAY } }
  await until(() => succeeds(workflowService.registerNamespace(namespace as never), /already exists/i), 60)
  // Its services learn about a namespace with a delay.
  const execution = { workflowId: 'none' }
  const look = () => workflowService.getWorkflowExecutionHistory({ namespace: 'default', execution })
  await until(() => succeeds(look(), /^(?!.*Namespace default is not found)/i), 60)
  await connection?.close()
}

/** Returns settings for all services in one process, on consecutive ports from `first`: those for calls, then those for discovery. */
function settingsOf(first: number, { ca, name, server }: Mutual): object {
  const address = { connectAddr: 'localhost', connectProtocol: 'tcp' }
  const store = {
    sql: {
      ...{ pluginName: 'sqlite', databaseName: 'default', ...address, maxConns: 1, maxIdleConns: 1 },
      connectAttributes: { mode: 'memory', cache: 'private' },
    },
  }
  const services = SERVICES.map((service, at) => [
    service,
    { rpc: { grpcPort: first + at, membershipPort: first + SERVICES.length + at, bindOnLocalHost: true } },
  ])
  const pair = { certFile: server.cert, keyFile: server.key }
  const client = { serverName: name, rootCaFiles: [ca] }
  return {
    log: { stdout: false, level: 'error' },
    persistence: { defaultStore: 'main', visibilityStore: 'seen', numHistoryShards: 1, datastores: { main: store, seen: store } },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: {
        frontend: { server: { ...pair, requireClientAuth: true, clientCaFiles: [ca] }, client },
        systemWorker: { ...pair, client },
      },
    },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${first}` } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
  }
}
