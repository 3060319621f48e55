import { z } from 'zod'
import { UnknownMembers } from './unknownMembers.ts'

/** PUT /me/secrets/{name} (choices, Sellers list): write only, encrypted at rest, named by a profile's secret_ref. */
export const PutSecret = z.object({ value: z.string().min(1).max(1024) }).meta({ id: 'PutSecret' })
export type PutSecret = z.infer<typeof PutSecret>

/** What is ever shown of one. */
export const SecretName = z.object({ name: z.string(), warnings: UnknownMembers }).meta({ id: 'SecretName' })
export type SecretName = z.infer<typeof SecretName>
