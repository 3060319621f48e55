import type { Request, Response } from 'express'
import type { SessionReply } from '../../src/contract/session.ts'
import type { Credential } from '../../src/store/tenants/findCredential.ts'
import type { SignOnToken } from '../../src/store/tenants/sessions.ts'

/** A person who has signed in, authorized by a credential or, with a token of an issuer, by a subject. */
export type Person = Pick<Credential, 'credential_id' | 'entity' | 'side'> & { readonly person: string; readonly token?: SignOnToken }

export type OpenSession = (req: Request, res: Response, person: Person) => Promise<SessionReply>
