import { describe, expect, it } from '@jest/globals'
import { issueCredential, revokeCredential } from '../../../src/store/tenants/credentials.ts'
import { findCredential } from '../../../src/store/tenants/findCredential.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase({ max: 8 })

type More = Partial<Parameters<typeof issueCredential>[1]>
const issue = (entity: string, more: More = {}) => issueCredential(db, { entity, side: 'buyer', kind: 'live', ...more })
const livingOf = async (entity: string) =>
  (await db.owner().query('select credential_id from credentials where entity = $1 and revoked_at is null order by 1', [entity])).rows.map(
    ({ credential_id }) => credential_id,
  )

describe('the tokens of a tenant', () => {
  it('are two at most, also of many that are asked for at once', async () => {
    await issue('crowd')
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => issue('crowd')))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await livingOf('crowd')).toHaveLength(2)
  })

  it('are counted by gate: those of the console leave room for those of the API', async () => {
    for (const gate of ['console', 'console', 'api', 'api'] as const) await issue('gates', { gate })
    for (const gate of ['console', 'api'] as const) await expect(issue('gates', { gate })).rejects.toThrow(/already has 2/)
  })

  it('give way to a new one where it replaces: the oldest ends, and none before there are two', async () => {
    const first = await issue('replaced', { replacesOldest: true })
    const second = await issue('replaced', { replacesOldest: true })
    expect(await livingOf('replaced')).toEqual([first.credential_id, second.credential_id])
    const third = await issue('replaced', { replacesOldest: true })
    expect(await livingOf('replaced')).toEqual([second.credential_id, third.credential_id])
  })

  it('are known by who they are: each is found by its own text alone', async () => {
    const [one, other] = [await issue('found'), await issue('found', { ttlSeconds: 60 })]
    expect(await findCredential(db, one.token)).toMatchObject({ credential_id: one.credential_id, entity: 'found', expires_at: null })
    expect(await findCredential(db, other.token)).toMatchObject({ credential_id: other.credential_id, expires_at: expect.any(Number) })
    expect(await findCredential(db, other.credential_id)).toBeUndefined()
  })
})

describe('a revocation', () => {
  it('ends one token, by its id or its text, once', async () => {
    const [one, other] = [await issue('ended'), await issue('ended')]
    expect(await revokeCredential(db, one.token)).toEqual({ stopped: 0 })
    expect(await livingOf('ended')).toEqual([other.credential_id])
    expect(await revokeCredential(db, one.credential_id)).toBeUndefined()
    expect(await revokeCredential(db, other.credential_id)).toEqual({ stopped: 0 })
    expect(await livingOf('ended')).toEqual([])
  })

  it.each([
    ['of another tenant', async () => (await issue('heirs-2')).credential_id],
    ['that has expired', async () => (await issue('heirs', { ttlSeconds: -1 })).credential_id],
    ['that is revoked', async () => revoked()],
    ['that does not exist', async () => 'cred_none'],
  ])('is refused, and changes nothing, with a successor %s', async (_, heir) => {
    const successor = await heir()
    const { credential_id } = await issue('heirs')
    await expect(revokeCredential(db, credential_id, { successor })).rejects.toThrow(/not an active credential of heirs/)
    expect(await livingOf('heirs')).toContain(credential_id)
    await revokeCredential(db, credential_id)
  })

  async function revoked(): Promise<string> {
    const { credential_id } = await issue('heirs')
    await revokeCredential(db, credential_id)
    return credential_id
  }
})
