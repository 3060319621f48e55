import type { Credential } from '../../../client/src/index.ts'
import { writeFields, writeJson } from '../output.ts'
import type { Profile } from '../profiles.ts'
import type { Session } from '../session.ts'

export async function whoami(session: Session): Promise<void> {
  const credential = await (await session.client()).credential()
  if (session.json) await writeJson(credential)
  else await showCredential(await session.access(), credential)
}

export async function showCredential({ url }: Profile, credential: Credential): Promise<void> {
  const { entity, side, person, scopes, expires_at, mode, credential_id } = credential
  await writeFields([
    ['marketplace', `${url} (${mode})`],
    [side, entity],
    ['person', person],
    ['scopes', scopes.join(', ')],
    ['expires', expires_at ?? 'never'],
    ['credential', credential_id],
  ])
}
