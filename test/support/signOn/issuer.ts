import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'

export const AUDIENCE = 'https://orders.example.com'
export const CONSOLE_CLIENT = 'console'
export const PROGRAMS = ['program', 'other-program', 'third-program'] as const
const SECRET = 'a-secret-of-programs'

/** The issuer's claims about people and programs in its tokens. */
export type Said = Readonly<Record<string, unknown>>

/** A real OpenID Connect issuer on this machine. */
export interface TestIssuer {
  readonly url: string
  /** The people who can sign in, by login, with the claims of their ID tokens. */
  readonly people: Map<string, Said>
  /** Returns how often its keys were read. */
  keyReads(): number
  /** Returns a token for the API as a program gets it. */
  token(said: Said & { scope: string }, program?: (typeof PROGRAMS)[number]): Promise<string>
  /** Returns a token with arbitrary claims, signed with a key of the issuer. */
  signed(claims: Said, header?: { alg?: Algorithm; kid?: string; key?: CryptoKey }): Promise<string>
  /** Returns the key that verifies RS256. */
  publicKey(): JWK
  /** Replaces all of its keys. */
  rotate(): Promise<void>
  away(): Promise<void>
  back(): Promise<void>
  stop(): Promise<void>
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
type Algorithm = (typeof ALGORITHMS)[number]
type Keys = Record<Algorithm, { kid: string; privateKey: CryptoKey; jwk: JWK; publicJwk: JWK }>

/** Starts an issuer; with `away`, it does not listen until `back` is called. `callbacks` are the addresses that it may redirect to. */
export async function startIssuer({
  callbacks = [],
  away = false,
}: {
  callbacks?: readonly string[]
  away?: boolean
} = {}): Promise<TestIssuer> {
  let keyReads = 0
  let listener: RequestListener = () => undefined
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/jwks')) keyReads += 1
    void listener(req, res)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const people = new Map<string, Said>()
  let next: Said = {}
  let keys = await newKeys()
  const provide = async () => {
    const Issuer = await quietly(() => import('oidc-provider'))
    const made: Provider = await quietly(async () => new Issuer.default(url, configuration({ keys, callbacks, people, said: () => next })))
    listener = made.callback()
  }
  await provide()
  if (away) await close()
  return {
    url,
    people,
    keyReads: () => keyReads,
    async token({ scope, ...said }, program = 'program') {
      next = said
      const reply = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${program}:${SECRET}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: AUDIENCE }),
      })
      const { access_token } = (await reply.json()) as { access_token?: string }
      if (access_token === undefined) throw new Error(`The issuer gave no token: ${reply.status}.`)
      return access_token
    },
    signed(claims, { alg = 'RS256', kid = keys[alg].kid, key = keys[alg].privateKey } = {}) {
      const now = Math.floor(Date.now() / 1_000)
      const usual = { iss: url, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 600 }
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(key)
    },
    publicKey: () => keys.RS256.publicJwk,
    async rotate() {
      keys = await newKeys()
      await provide()
    },
    away: close,
    back: () => listen(port),
    stop: async () => {
      if (server.listening) await close()
    },
  }
}

/** Does the work without the issuer's warning that it is not set up for production. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = () => undefined
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}

async function newKeys(): Promise<Keys> {
  const made = ALGORITHMS.map(async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    const named = { kid: randomUUID(), alg, use: 'sig' }
    return [
      alg,
      {
        kid: named.kid,
        privateKey,
        jwk: { ...(await exportJWK(privateKey)), ...named },
        publicJwk: { ...(await exportJWK(publicKey)), ...named },
      },
    ] as const
  })
  return Object.fromEntries(await Promise.all(made)) as Keys
}

interface Provided {
  readonly keys: Keys
  readonly callbacks: readonly string[]
  readonly people: ReadonlyMap<string, Said>
  readonly said: () => Said
}

function configuration({ keys, callbacks, people, said }: Provided): Configuration {
  return {
    jwks: { keys: Object.values(keys).map(({ jwk }) => jwk) } as NonNullable<Configuration['jwks']>,
    cookies: { keys: [randomUUID()] },
    clients: [
      ...PROGRAMS.map((client_id) => ({
        client_id,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      })),
      { client_id: CONSOLE_CLIENT, token_endpoint_auth_method: 'none', redirect_uris: [...callbacks] },
    ],
    claims: { openid: ['sub'], profile: ['name'], market: ['tenant', 'side', 'scope'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 600, ClientCredentials: 600, IdToken: 600, Session: 600, Interaction: 600, Grant: 600 },
    findAccount: (_, login) => {
      const person = people.get(login)
      return person && { accountId: login, claims: () => ({ sub: login, ...person }) }
    },
    extraTokenClaims: () => ({ ...said() }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope:
            'orders:read orders:write orders:approve catalog:read catalog:write webhooks:write settlement:read settlement:write audit:read other:scope',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }
}
