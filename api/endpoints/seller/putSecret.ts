import { Name } from '../../../src/contract/scalars.ts'
import type { PutSecret, SecretName } from '../../../src/contract/secret.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { saveSecret } from '../../../src/store/tenants/secrets.ts'
import { actorOf } from '../../http/call.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'

/** PUT /me/secrets/{name}: stores the secret in place of an earlier one, and never shows it again. */
export const putSecret: Handler<PutSecret> = async ({ db, secrets }, { caller, params, body }) => {
  const named = Name.safeParse(params.name)
  if (!named.success) throw new Refusal('INVALID_INPUT', 'A secret has a name of 1 to 200 characters.', { field: 'name' })
  await saveSecret(db, secrets, actorOf(caller), named.data, body.value)
  return ok({ name: named.data } satisfies SecretName)
}
