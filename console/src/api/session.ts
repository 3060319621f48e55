import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect } from 'react'
import { sender } from './client.ts'
import { noteServerDate } from './clock.ts'
import { resultOf } from './fault.ts'
import { noteAnswer } from './health.ts'

export interface Session {
  readonly entity: string
  readonly side: 'buyer' | 'seller' | 'operator'
  readonly scopes: readonly string[]
  readonly name: string
  readonly mode: 'sandbox' | 'production'
  readonly csrf: string
  readonly expires_at: string
  readonly temporal_ui?: string
}

export interface Persona {
  readonly persona: string
  readonly entity: string
  readonly tenant_name: string
  readonly side: Session['side']
  readonly name: string
}

export type SignIn = { readonly persona: string } | { readonly token: string }

/** The session of this browser, or null when nobody is signed in. A sign-in as another tenant discards the data read for the last one. */
export const sessionRead = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    const { data } = await call<Session | null>('/session', { signal }, [401])
    sender.csrf = data?.csrf
    if (data !== null) {
      const last = client.getQueryData(lastSession.queryKey)
      if (last && tenantOf(last) !== tenantOf(data)) client.removeQueries({ predicate: isOfTenant })
      client.setQueryData(lastSession.queryKey, data)
    }
    return data
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The last session, kept until that user signs out: after it ends, the data on the page still belongs to that user. */
export const lastSession = queryOptions({ queryKey: ['session', 'last'], queryFn: (): Session | null => null, enabled: false })

export function tenantOf({ side, entity }: Session): string {
  return `${side}:${entity}`
}

/** The ways to sign in to this marketplace. */
export interface SignInWays {
  readonly personas: boolean
  readonly token: boolean
  /** The host of the OpenID Connect issuer; null if there is none. */
  readonly issuer: string | null
}

export const waysRead = queryOptions({
  queryKey: ['session', 'ways'],
  queryFn: async ({ signal }) => (await call<SignInWays>('/session/ways', { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Returns the address that starts the sign-in with the issuer, which then sends the browser back to this page. */
export function issuerSignIn(): string {
  return `/session/oidc?${new URLSearchParams({ return: location.pathname + location.search })}`
}

/** The sandbox users who can sign in by name; none in production. */
export const personasRead = queryOptions({
  queryKey: ['personas'],
  queryFn: async ({ signal }) => (await call<{ personas: Persona[] } | null>('/session/personas', { signal }, [404])).data?.personas ?? [],
})

export const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the session of a screen. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('Nobody is signed in.')
  return session
}

export function useSignIn(): (how: SignIn) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (how) => {
      await call('/session', { method: 'POST', body: JSON.stringify(how), headers: { 'Content-Type': 'application/json' } })
      const session = await queries.fetchQuery({ ...sessionRead, staleTime: 0 })
      tellTabs()
      if (session !== null) await queries.invalidateQueries({ predicate: isOfTenant })
    },
    [queries],
  )
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    await call('/session', { method: 'DELETE', headers: sender.csrf === undefined ? {} : { 'X-CSRF-Token': sender.csrf } }, [401])
    forget(queries)
    tellTabs()
  }, [queries])
}

/** Follows sign-ins in other tabs, which share the cookie: a page of the previous user would act for the wrong tenant. */
export function useOtherTabs(onOther: (session: Session) => void): void {
  const queries = useQueryClient()
  useEffect(() => {
    const follow = async () => {
      const before = queries.getQueryData(sessionRead.queryKey) ?? queries.getQueryData(lastSession.queryKey)
      const session = await queries.fetchQuery({ ...sessionRead, staleTime: 0 })
      if (session === null) forget(queries)
      else if (before && (tenantOf(before) !== tenantOf(session) || before.name !== session.name)) onOther(session)
    }
    // The banner reports an outage, and a call that is refused later reads the session again.
    const listener = () => void follow().catch(() => undefined)
    tabs.addEventListener('message', listener)
    return () => tabs.removeEventListener('message', listener)
  }, [queries, onOther])
}

const tabs = new BroadcastChannel('session')

function tellTabs(): void {
  tabs.postMessage('changed')
}

function forget(queries: QueryClient): void {
  sender.csrf = undefined
  queries.setQueryData(sessionRead.queryKey, null)
  queries.setQueryData(lastSession.queryKey, null)
  queries.removeQueries({ predicate: isOfTenant })
}

function isOfTenant({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean {
  return first !== 'session' && first !== 'personas'
}

/** Calls `/session`, which is outside the `/v1` contract and so outside the typed client. A status listed in `none` returns null. */
async function call<Data>(path: string, init: RequestInit, none: readonly number[] = []): Promise<{ data: Data }> {
  const answer = async () => {
    const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
      if (!(cause instanceof DOMException)) noteAnswer(0)
      throw cause
    })
    noteServerDate(response.headers.get('Date'))
    noteAnswer(response.status)
    if (none.includes(response.status)) return { data: null as Data, response: new Response() }
    const body: unknown = await response.json().catch(() => undefined)
    return response.ok ? { data: body as Data, response } : { error: body, response }
  }
  return resultOf<Data>(answer())
}
