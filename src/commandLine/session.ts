import { type Client, openClient } from '../../client/src/index.ts'
import { Interrupted, UsageFault } from './exits.ts'
import { findProfile, type Profile } from './profiles.ts'

/** The options of every command. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly profile?: string
  readonly url?: string
  readonly token?: string
}

/** What a command works with. */
export interface Session {
  readonly json: boolean
  /** Aborts with Interrupted at Ctrl-C. */
  readonly signal: AbortSignal
  access(): Promise<Profile>
  client(): Promise<Client>
  /** The side of the token, which `orders` and `makegoods` of both sides depend on. */
  side(): Promise<'buyer' | 'seller'>
}

/** Attempts enough for a restart of the service, and few enough that a wrong address is told within two seconds. */
const RETRY = { attempts: 4 }

export function openSession(options: GlobalOptions): Session {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (stopping.signal.aborted ? process.exit(130) : stopping.abort(new Interrupted())))
  const { signal } = stopping
  const access = once(() => accessOf(options))
  const client = once(async () => {
    const { url, token } = await access()
    return openClient({ baseUrl: url, token, signal, retry: RETRY })
  })
  const side = once(async () => {
    const credential = await (await client()).credential()
    if (credential.side === 'buyer' || credential.side === 'seller') return credential.side
    throw new UsageFault(`The token is that of ${credential.entity}, an operator: this needs the token of a buyer or a seller.`)
  })
  return { json: options.json === true, signal, access, client, side }
}

/** Options come before a named profile, that before the environment, and that before the profile of the last login. */
async function accessOf({ url, token, profile: name }: GlobalOptions): Promise<Profile> {
  const { MARKETPLACE_URL, MARKETPLACE_TOKEN } = process.env
  const named = name === undefined ? undefined : await findProfile(name)
  const given = {
    url: url ?? named?.url ?? (MARKETPLACE_URL || undefined),
    token: token ?? named?.token ?? (MARKETPLACE_TOKEN || undefined),
  }
  const last = given.url === undefined || given.token === undefined ? await findProfile(undefined) : undefined
  const found = { url: given.url ?? last?.url, token: given.token ?? last?.token }
  if (found.url === undefined || found.token === undefined)
    throw new UsageFault('Log in by order-marketplace login, or set MARKETPLACE_URL and MARKETPLACE_TOKEN.')
  return checkedAccess(found.url, found.token)
}

/** Fails if an address or a token cannot be one. */
export function checkedAccess(url: string, token: string): Profile {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageFault(`${JSON.stringify(url)} is not the address of a marketplace, such as https://marketplace.example.`)
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageFault('The token has characters that no token has: copy it again, without spaces.')
  return { url, token }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
