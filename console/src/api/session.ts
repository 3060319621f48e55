import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
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

/** The session of this browser, or null when nobody is signed in. */
export const sessionRead = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    const { data } = await call<Session | null>('/session', { signal }, [401])
    sender.csrf = data?.csrf
    return data
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The people of the sandbox who can sign in by name; none in production. */
export const personasRead = queryOptions({
  queryKey: ['personas'],
  queryFn: async ({ signal }) => (await call<{ personas: Persona[] } | null>('/session/personas', { signal }, [404])).data?.personas ?? [],
})

/** The session of a screen below the sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionRead)
  if (!data) throw new Error('Nobody is signed in.')
  return data
}

/** Signs in. What was read for another tenant is forgotten. */
export function useSignIn(): (how: SignIn) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (how) => {
      const before = queries.getQueryData(sessionRead.queryKey)
      await call('/session', { method: 'POST', body: JSON.stringify(how), headers: { 'Content-Type': 'application/json' } })
      const session = await queries.fetchQuery({ ...sessionRead, staleTime: 0 })
      if (before?.entity !== session?.entity || before?.side !== session?.side) queries.removeQueries({ predicate: isOfTenant })
      else await queries.invalidateQueries({ predicate: isOfTenant })
    },
    [queries],
  )
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    await call('/session', { method: 'DELETE', headers: sender.csrf === undefined ? {} : { 'X-CSRF-Token': sender.csrf } }, [401])
    sender.csrf = undefined
    queries.setQueryData(sessionRead.queryKey, null)
    queries.removeQueries({ predicate: isOfTenant })
  }, [queries])
}

function isOfTenant({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean {
  return first !== 'session' && first !== 'personas'
}

/** `/session` lies outside of the contract of `/v1`, so it is called by hand. A status of `none` answers null. */
async function call<Data>(path: string, init: RequestInit, none: readonly number[] = []): Promise<{ data: Data }> {
  const answer = async () => {
    const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
      if (!(cause instanceof DOMException)) noteAnswer(false)
      throw cause
    })
    noteServerDate(response.headers.get('Date'))
    noteAnswer(response.status < 502)
    if (none.includes(response.status)) return { data: null as Data, response: new Response() }
    const body: unknown = await response.json().catch(() => undefined)
    return response.ok ? { data: body as Data, response } : { error: body, response }
  }
  return resultOf<Data>(answer())
}
