import type { IncomingHttpHeaders } from 'node:http'
import type { ByteStream } from '../../src/contract/endpoints/endpoint.ts'
import type { UnknownMember } from '../../src/contract/unknownMembers.ts'
import type { CredentialSide, Side } from '../../src/contract/vocabulary/access.ts'
import type { Credential } from '../../src/store/tenants/findCredential.ts'
import type { Actor } from '../../src/store/tenants/securityEvents.ts'

/** A request with checked credential, path and query. Its body has arrived or, for an endpoint that accepts BYTES, is arriving. */
export type CheckedRequest = Omit<Call<unknown, unknown, CredentialSide>, 'query' | 'body' | 'raw' | 'unknown'> & {
  /** The body's bytes as received; undefined if there is no body. */
  readonly raw: Buffer | undefined
  /** The W3C `traceparent` of the request's effects; undefined if they are not traced. */
  readonly trace?: string | undefined
  readonly stream?: ByteStream
}

export type Caller<Of extends CredentialSide = Side> = Pick<
  Credential,
  'credential_id' | 'entity' | 'gate' | 'scopes' | 'expires_at' | 'session'
> & {
  readonly side: Of
  /** The address from which the request came, for the audit log. */
  readonly source_ip: string | null
}

/** Returns a caller in the form that the audit log records. */
export function actorOf({ entity, side, credential_id, session, source_ip }: Caller<CredentialSide>): Actor {
  return { entity, side, via: session === undefined ? 'api' : 'console', credential_id, person: session?.person ?? null, source_ip }
}

export interface Call<Body = unknown, Query = unknown, Of extends CredentialSide = Side> {
  readonly caller: Caller<Of>
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The body's bytes as received, since byte-identical replay compares them. */
  readonly raw: Buffer
  /** The headers as received; an endpoint declares the ones that it reads. */
  readonly headers: IncomingHttpHeaders
  /** The ignored members of the body, which become `warnings` of the reply. If the reply is text, its handler adds them. */
  readonly unknown: readonly UnknownMember[]
  /** Returns a signal that aborts when the reply is sent or its reader has disconnected. Created on first use. */
  readonly disconnectSignal: () => AbortSignal
}
