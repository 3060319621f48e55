import { z } from 'zod'
import { UnknownMembers } from './unknownMembers.ts'

/** PUT /me/secrets/{name} (choices, Sellers list): write-only, encrypted at rest, referenced by a profile's secret_ref. */
export const PutSecret = z.object({ value: z.string().min(1).max(1024) }).meta({ id: 'PutSecret' })
export type PutSecret = z.infer<typeof PutSecret>

/** The reply, which never contains the value. */
export const SecretName = z.object({ name: z.string(), warnings: UnknownMembers }).meta({ id: 'SecretName' })
export type SecretName = z.infer<typeof SecretName>
