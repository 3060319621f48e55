import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2'
import type { Database } from '../src/store/connection/database.ts'
import { type Credential, findCredential } from '../src/store/tenants/findCredential.ts'
import { findSftpKey } from '../src/store/tenants/findSftpKey.ts'
import type { RefusedSignIns } from '../src/store/tenants/refusedSignIns.ts'
import { isTokenForm } from '../src/store/tenants/token.ts'

export interface SignInDeps {
  readonly db: Database
  readonly refusedSignIns: RefusedSignIns
}

/**
 * Why a sign-in was refused, for the log. `unknown`: no such token or key, or none any more. `other_tenant`: the credential is not of this
 * seller. `scope`: it may not upload.
 */
export type RefusedSignIn =
  | 'user_name'
  | 'not_a_token'
  | 'unknown'
  | 'unknown_key'
  | 'weak_key'
  | 'signature'
  | 'revoked'
  | 'expired'
  | 'other_tenant'
  | 'scope'

/** The outcome of one attempt to sign in. `find` reads the credential again. */
export type Attempt =
  | { readonly outcome: 'signed_in'; readonly credential: Credential; readonly find: () => Promise<Credential | undefined> }
  /** The user's key is valid, but the user has yet to sign with it. */
  | { readonly outcome: 'known_key' }
  | { readonly outcome: 'unknown_key' }
  | { readonly outcome: 'refused'; readonly reason: RefusedSignIn }
  /** The client tried a method that is not offered. */
  | { readonly outcome: 'other_method' }

/** Signs a seller in with a token as the password, or with one of its keys. The user name is the seller. */
export async function attemptSignIn({ db, refusedSignIns }: SignInDeps, context: AuthContext, source: string): Promise<Attempt> {
  const user = context.username
  // PostgreSQL takes no NUL: a stranger's would be logged as a failure of the database.
  const isOfSeller = user.length <= LONGEST_NAME && !user.includes('\0')
  if (context.method === 'password') {
    const { password } = context
    if (!isOfSeller) return refused('user_name')
    if (!isTokenForm(password)) return refused('not_a_token')
    return decided(() => findCredential(db, password))
  }
  if (context.method === 'publickey') {
    if (!isOfSeller || !isStrong(context))
      return context.signature === undefined ? UNKNOWN_KEY : refused(isOfSeller ? 'weak_key' : 'user_name')
    const find = () => findSftpKey(db, user, context.key.data)
    if (context.signature === undefined) return (await find())?.revoked === false ? KNOWN_KEY : UNKNOWN_KEY
    return isSigned(context) ? decided(find) : refused('signature')
  }
  return OTHER_METHOD

  async function decided(find: () => Promise<Credential | undefined>): Promise<Attempt> {
    const credential = await find()
    if (credential === undefined) return refused('unknown')
    const ended = endOf(credential)
    if (ended !== undefined) refusedSignIns.note({ ...credential, source_ip: source }, ended)
    const reason = refusalOf(credential, user)
    return reason === undefined ? { outcome: 'signed_in', credential, find } : refused(reason)
  }
}

function refused(reason: RefusedSignIn): Attempt {
  return { outcome: 'refused', reason }
}

/** Returns why a credential does not let this seller in; undefined if it does. */
function refusalOf(credential: Credential, seller: string): RefusedSignIn | undefined {
  const ended = endOf(credential)
  if (ended !== undefined) return ended
  if (credential.side !== 'seller' || credential.entity !== seller) return 'other_tenant'
  return credential.scopes.has('catalog:write') ? undefined : 'scope'
}

/** Whether a credential still lets this seller in. It may have been revoked or have expired since the sign-in. */
export function mayUpload(credential: Credential | undefined, seller: string): boolean {
  return credential !== undefined && refusalOf(credential, seller) === undefined
}

const KNOWN_KEY = { outcome: 'known_key' } as const
const UNKNOWN_KEY = { outcome: 'unknown_key' } as const
const OTHER_METHOD = { outcome: 'other_method' } as const

/** The most characters in a tenant's name. */
const LONGEST_NAME = 100

function endOf({ revoked, expires_at }: Credential): 'revoked' | 'expired' | undefined {
  if (revoked) return 'revoked'
  return expires_at !== null && expires_at <= Date.now() ? 'expired' : undefined
}

/** Refuses an RSA key without a hash algorithm, since it would sign with SHA-1. */
function isStrong({ key, hashAlgo }: PublicKeyAuthContext): boolean {
  return key.algo !== 'ssh-rsa' || hashAlgo === 'sha256' || hashAlgo === 'sha512'
}

function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || (parsed.type as string) !== key.algo || blob === undefined || signature === undefined) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}
