import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '@jest/globals'

/** OpenSSH's own clients, as sellers use them. If they are not installed, the tests that need them are skipped. */
export const withOpenSsh = spawnSync('sftp', ['-h'], { stdio: 'ignore' }).error === undefined ? describe : describe.skip

/** The identity of a client. */
export type Identity = { readonly password: string } | { readonly keyFile: string }

export interface Endpoint {
  readonly port: number
  /** A folder of the test for the client's own files. */
  readonly home: string
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface RunningClient {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/** Runs `sftp -b`: the commands in order, up to the first that fails. A line that begins with `-` may fail. */
export function sftp(endpoint: Endpoint, user: string, identity: Identity, commands: readonly string[]): Promise<Ended> {
  const client = startSftp(endpoint, user, identity, commands)
  client.process.stdin?.end()
  return client.ended
}

/** Runs commands, and then waits for more. */
export function startSftp(
  endpoint: Endpoint,
  user: string,
  identity: Identity,
  commands: readonly string[],
  more: readonly string[] = [],
): RunningClient {
  const options = [...more, '-P', String(endpoint.port), ...optionsOf(identity)]
  // In batch mode sftp asks for no password without this option.
  const client = run(endpoint, identity, 'sftp', ['-oBatchMode=no', ...options, '-b', '-', `${user}@127.0.0.1`])
  client.process.stdin?.write(commands.map((command) => `${command}\n`).join(''))
  return client
}

/** Runs `scp` to or from `remote:`, which means the server. */
export function scp(endpoint: Endpoint, user: string, identity: Identity, ...paths: readonly string[]): Promise<Ended> {
  const named = paths.map((path) => path.replace(/^remote:/, `${user}@127.0.0.1:`))
  return run(endpoint, identity, 'scp', ['-P', String(endpoint.port), ...optionsOf(identity), ...named]).ended
}

/** Runs `ssh`, for requests that the server must refuse. */
export function ssh(
  endpoint: Endpoint,
  user: string,
  identity: Identity,
  options: readonly string[],
  words: readonly string[] = [],
): Promise<Ended> {
  return run(endpoint, identity, 'ssh', ['-p', String(endpoint.port), ...optionsOf(identity), ...options, `${user}@127.0.0.1`, ...words])
    .ended
}

/** Makes a pair of keys; returns the path of the private one. */
export function makeKey(
  home: string,
  type: 'ed25519' | 'ecdsa' | 'rsa',
  { bits, name = type }: { bits?: number; name?: string } = {},
): string {
  const file = join(home, `id_${name}`)
  const size = bits === undefined ? [] : ['-b', String(bits)]
  const { status, stderr } = spawnSync('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', `${name} of a test`, '-f', file])
  if (status !== 0) throw new Error(`ssh-keygen failed: ${stderr}`)
  return file
}

function optionsOf(identity: Identity): string[] {
  const of =
    'password' in identity
      ? ['PreferredAuthentications=password', 'NumberOfPasswordPrompts=1']
      : [`IdentityFile=${identity.keyFile}`, 'PreferredAuthentications=publickey']
  const all = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    ...of,
  ]
  return ['-F', '/dev/null', ...all.flatMap((option) => ['-o', option])]
}

function run({ home }: Endpoint, identity: Identity, program: string, args: readonly string[]): RunningClient {
  const askPass = join(home, 'askpass')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    DISPLAY: ':0',
    SSH_ASKPASS: askPass,
    SSH_ASKPASS_REQUIRE: 'force',
    PASSWORD: 'password' in identity ? identity.password : '',
  }
  const child = spawn(program, args, { env, cwd: home, detached: true })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  child.stdin.on('error', () => undefined)
  return { process: child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err }))) }
}

/** Writes the program that OpenSSH runs to get a password. */
export async function writeAskPass(home: string): Promise<void> {
  await writeFile(join(home, 'askpass'), '#!/bin/sh\nprintf "%s\\n" "$PASSWORD"\n')
  await chmod(join(home, 'askpass'), 0o700)
}
