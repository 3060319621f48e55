import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { endAuthority } from '../delivery/eventAuthority.ts'
import { type ClaimedSubject, type FoundSubject, findSubject } from './findSubject.ts'
import { operator, recordAct } from './securityEvents.ts'
import { DEFAULT_PROFILE } from './sellers.ts'

export interface Subject {
  readonly subject_id: string
  readonly revoked: boolean
}

/** The most subjects of a tenant. Each row is kept forever, so that a revoked subject stays revoked. */
const SUBJECTS_PER_TENANT = 10_000

/** A tenant or a subject that was not found and must be created. */
export interface Wanted<Admitted> {
  /** Searches again, since another request may have written it since the first search. */
  find(): Promise<Admitted | undefined>
  write(): Promise<Admitted>
}

/** Writes what is wanted, once for all concurrent callers. Refuses if there are too many. */
export interface Admissions {
  tenant<Admitted>(entity: string, wanted: Wanted<Admitted>): Promise<Admitted>
  subject<Admitted>(entity: string, subject: string, wanted: Wanted<Admitted>): Promise<Admitted>
}

export interface Admission {
  readonly via: 'api' | 'console'
  /** Whether an unknown tenant is created. */
  readonly createsTenants: boolean
  readonly admissions: Admissions
}

/** Returns the subject of a valid token, and admits an unknown one. FORBIDDEN if its tenant does not exist or is on the other side. */
export async function admitSubject(
  db: Pick<Database, 'sql' | 'pool' | 'as'>,
  claimed: ClaimedSubject,
  { via, createsTenants, admissions }: Admission,
): Promise<Subject> {
  const { entity, side, subject } = claimed
  const find = () => findSubject(db, claimed)
  let found = await find()
  if (found === undefined && createsTenants) {
    await admissions.tenant(entity, { find, write: () => createTenant(db, claimed) })
    found = await find()
  }
  if (found === undefined) throw new Refusal('FORBIDDEN', `The token names the tenant ${entity}, which does not exist here.`)
  if (found.side !== side) throw new Refusal('FORBIDDEN', `The token says that ${entity} is a ${side}; it is a ${found.side}.`)
  const write = () => newSubject(db, claimed, via)
  return admitted(found) ?? admissions.subject(entity, subject, { find: async () => admitted(await find()), write })
}

function admitted(found: FoundSubject | undefined): Subject | undefined {
  if (found === undefined || found.subject_id === null) return undefined
  return { subject_id: found.subject_id, revoked: found.revoked }
}

async function createTenant({ sql }: Pick<Database, 'sql'>, { entity, side }: ClaimedSubject): Promise<unknown> {
  const profile = JSON.stringify(DEFAULT_PROFILE)
  return sql.selectNoFrom(({ fn, val }) => fn('create_tenant', [val(entity), val(side), val(profile)]).as('created')).execute()
}

async function newSubject(
  db: Pick<Database, 'as'>,
  { entity, side, issuer, subject }: ClaimedSubject,
  via: 'api' | 'console',
): Promise<Subject> {
  return db
    .as([entity])
    .sql.transaction()
    .execute(async (tx) => {
      const subject_id = newId('sub_')
      const { numInsertedOrUpdatedRows: inserted = 0n } = await tx
        .insertInto('subjects')
        .values({ subject_id, entity, issuer, subject })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (inserted === 0n) {
        // Another request with a token of the same subject was first.
        const first = await tx
          .selectFrom('subjects')
          .select(['subject_id', 'revoked_at'])
          .where('entity', '=', entity)
          .where('issuer', '=', issuer)
          .where('subject', '=', subject)
          .executeTakeFirstOrThrow()
        return { subject_id: first.subject_id, revoked: first.revoked_at !== null }
      }
      const beyond = await tx
        .selectFrom('subjects')
        .select('subject_id')
        .where('entity', '=', entity)
        .offset(SUBJECTS_PER_TENANT)
        .limit(1)
        .executeTakeFirst()
      if (beyond !== undefined)
        throw new Refusal('FORBIDDEN', `At most ${SUBJECTS_PER_TENANT} subjects of issuers act for a tenant.`, {
          most: SUBJECTS_PER_TENANT,
        })
      const actor = { entity, side, via, credential_id: subject_id, source_ip: null }
      await recordAct(tx, actor, { action: 'subject.admitted', target: subject_id, after: { issuer, subject } })
      return { subject_id, revoked: false }
    })
}

export async function listSubjects({ sql }: Pick<Database, 'sql'>) {
  return sql
    .selectFrom('subjects')
    .innerJoin('tenants', 'tenants.entity', 'subjects.entity')
    .select(['subject_id', 'subjects.entity', 'side', 'issuer', 'subject', 'seen_at', 'revoked_at'])
    .orderBy('subject_id')
    .execute()
}

/**
 * Revokes a subject: running servers refuse its tokens and sessions within 5 s, whatever the issuer says, and its webhook endpoints and
 * queue stop. Returns how many stopped; undefined if there is no such subject in force.
 */
export async function revokeSubject({ sql }: Pick<Database, 'sql'>, subjectId: string): Promise<{ stopped: number } | undefined> {
  return sql.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('subjects')
      .from('tenants')
      .set({ revoked_at: new Date().toISOString() })
      .whereRef('tenants.entity', '=', 'subjects.entity')
      .where('subject_id', '=', subjectId)
      .where('revoked_at', 'is', null)
      .returning(['subjects.entity', 'side'])
      .executeTakeFirst()
    if (revoked === undefined) return undefined
    await recordAct(tx, operator(revoked.entity, revoked.side, 'command_line'), { action: 'subject.revoked', target: subjectId })
    return { stopped: await endAuthority(tx, subjectId, 'credential_revoked', 'command_line') }
  })
}

/** Lets a revoked subject act again. Returns false if there is no such revoked subject. */
export async function restoreSubject({ sql }: Pick<Database, 'sql'>, subjectId: string): Promise<boolean> {
  return sql.transaction().execute(async (tx) => {
    const restored = await tx
      .updateTable('subjects')
      .from('tenants')
      .set({ revoked_at: null })
      .whereRef('tenants.entity', '=', 'subjects.entity')
      .where('subject_id', '=', subjectId)
      .where('revoked_at', 'is not', null)
      .returning(['subjects.entity', 'side'])
      .executeTakeFirst()
    if (restored === undefined) return false
    await recordAct(tx, operator(restored.entity, restored.side, 'command_line'), { action: 'subject.restored', target: subjectId })
    return true
  })
}
