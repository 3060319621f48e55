import { text } from 'node:stream/consumers'
import { openClient } from '../../../client/src/index.ts'
import { UsageFault } from '../exits.ts'
import { readJsonFile } from '../files.ts'
import { say, writeJson } from '../output.ts'
import { keepProfile, type Profile, profilesFile } from '../profiles.ts'
import { checkedAccess, type GlobalOptions, type Session } from '../session.ts'
import { showCredential } from './whoami.ts'

export async function login(session: Session, options: LoginOptions & GlobalOptions): Promise<void> {
  const profile = await profileToKeep(options)
  const client = openClient({ baseUrl: profile.url, token: profile.token, signal: session.signal, retry: { attempts: 2 } })
  const credential = await client.credential()
  const name = options.profile ?? 'default'
  await keepProfile(name, profile)
  if (session.json) await writeJson({ profile: name, file: profilesFile(), credential })
  else {
    await showCredential(profile, credential)
    say(`Kept as the profile ${name} in ${profilesFile()}.`)
  }
}

async function profileToKeep({ as: tenant, credentials, url, token }: LoginOptions & GlobalOptions): Promise<Profile> {
  if (tenant !== undefined) return ofSandbox(tenant, credentials, url)
  const { MARKETPLACE_URL, MARKETPLACE_TOKEN } = process.env
  const address = url ?? MARKETPLACE_URL
  if (address === undefined || address === '') throw new UsageFault('Name the marketplace by --url, or a tenant of a sandbox by --as.')
  return checkedAccess(address, token ?? MARKETPLACE_TOKEN ?? (await askedToken()))
}

/** The token comes from standard input where no option has it, so that it need not be in the history of a shell. */
async function askedToken(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  process.stderr.write('Token: ')
  // What is typed is not shown.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  const typed = new AbortController()
  prompt.on('SIGINT', () => typed.abort())
  try {
    return (await prompt.question('', { signal: typed.signal })).trim()
  } catch {
    throw new UsageFault('No token was given.')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

interface SandboxCredentials {
  readonly base_url?: string
  readonly sellers?: Readonly<Record<string, { token: string }>>
  readonly buyers?: Readonly<Record<string, { token: string }>>
  readonly operators?: Readonly<Record<string, { token: string }>>
  readonly sandbox?: Readonly<Record<string, { token: string }>>
}

async function ofSandbox(tenant: string, file: string, url: string | undefined): Promise<Profile> {
  const { base_url = '', sellers, buyers, operators } = (await readJsonFile(file)).value as SandboxCredentials
  const tenants = { ...operators, ...sellers, ...buyers }
  const found = Object.hasOwn(tenants, tenant) ? tenants[tenant] : undefined
  if (found === undefined)
    throw new UsageFault(`${file} has no tenant ${JSON.stringify(tenant)}; it has ${Object.keys(tenants).sort().join(', ') || 'none'}.`)
  return checkedAccess(url ?? base_url, found.token)
}

export interface LoginOptions {
  readonly as?: string
  readonly credentials: string
}
