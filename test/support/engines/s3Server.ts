import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { endProcess, endWithUs } from '../childProcesses.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'
import { findGoProgram } from './goProgram.ts'

/** A real S3 server on loopback that checks signatures, checksums and policies; a test may kill and restart it on its existing data. */
export interface S3Server {
  readonly endpoint: string
  /** Returns the URL for a setting: `s3://bucket/prefix` with the parameters that lead to this server. */
  url(bucketAndPrefix: string): string
  /** Returns a client for the owner of everything, or for a user of `addUser`. */
  client(user?: S3User): S3Client
  createBucket(name: string): Promise<void>
  addUser(user: S3User): Promise<void>
  /** Writes bytes without the server, which keeps its own data about the object: its checksum, if it has one. */
  plant(bucketAndKey: string, text?: string): Promise<void>
  start(): Promise<void>
  kill(): Promise<void>
  remove(): Promise<void>
}

export interface S3User {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const S3_REGION = 'eu-west-1'
export const S3_OWNER: S3User = { accessKeyId: 'owner', secretAccessKey: 'owner-secret' }

const GATEWAY = { path: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0' }

/** Returns the server's program from the cache, or builds it, which takes minutes; undefined if that fails. */
export function findS3Server(): Promise<string | undefined> {
  return findGoProgram({ what: 'the S3 server', name: 'versitygw', module: GATEWAY })
}

export async function startS3Server(program: string): Promise<S3Server> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const [data, sidecar, users] = ['data', 'sidecar', 'users'].map((name) => join(folder.path, name)) as [string, string, string]
  for (const each of [data, sidecar, users]) await mkdir(each)
  const owner = ['--access', S3_OWNER.accessKeyId, '--secret', S3_OWNER.secretAccessKey, '--region', S3_REGION]
  const service = ['--port', `127.0.0.1:${port}`, '--iam-dir', users, '--iam-cache-disable', '--quiet']
  // The sidecar holds checksums, since not every file system has the extended attributes for them.
  const files = ['posix', '--sidecar', sidecar, data]
  let child: ChildProcess | undefined
  const server: S3Server = {
    endpoint,
    url: (bucketAndPrefix) => `s3://${bucketAndPrefix}?region=${S3_REGION}&endpoint=${endpoint}&path_style=true`,
    client: (credentials = S3_OWNER) => new S3Client({ endpoint, region: S3_REGION, forcePathStyle: true, credentials }),
    async createBucket(name) {
      const client = server.client()
      await client.send(new CreateBucketCommand({ Bucket: name }))
      client.destroy()
    },
    async addUser({ accessKeyId, secretAccessKey }) {
      const account = ['--access', accessKeyId, '--secret', secretAccessKey, '--role', 'user']
      await promisify(execFile)(program, ['admin', ...owner, '--endpoint-url', endpoint, 'create-user', ...account])
    },
    async plant(bucketAndKey, text = '') {
      const path = join(data, bucketAndKey)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    },
    async start() {
      child = spawn(program, [...owner, ...service, ...files], { stdio: 'ignore' })
      endWithUs(child)
      const deadline = Date.now() + 20_000
      while (!(await fetch(endpoint).then(Boolean, () => false))) {
        if (Date.now() > deadline || child.exitCode !== null) throw new Error('the S3 server does not start')
        await sleep(25)
      }
    },
    async kill() {
      if (child !== undefined) await endProcess(child, 'SIGKILL')
    },
    async remove() {
      await server.kill()
      await folder.remove()
    },
  }
  await server.start()
  return server
}
