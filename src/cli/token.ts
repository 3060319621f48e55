import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readSshPublicKey, type SshPublicKey, sshFingerprint } from '../adapters/keys/sshKey.ts'
import { type Config, readConfig } from '../config/index.ts'
import { CREDENTIAL_SIDES, type CredentialSide, SCOPES, type Scope } from '../contract/vocabulary/access.ts'
import { ENTITY_FORM, isEntity } from '../domain/identity/entity.ts'
import { postgresUrl } from '../local/embedded/postgres.ts'
import { type Database, openDatabase } from '../store/connection/database.ts'
import { CredentialFault } from '../store/tenants/credentialFault.ts'
import { issueCredential, listCredentials, revokeCredential } from '../store/tenants/credentials.ts'
import { addSftpKey, listSftpKeys, revokeSftpKey } from '../store/tenants/sftpKeys.ts'
import { listSubjects, restoreSubject, revokeSubject } from '../store/tenants/subjects.ts'
import { endWith } from './endWith.ts'

/** `npx order-marketplace operator token issue|list|revoke|sftp-key|subject`: manages credentials (choices, Identity). Only the answer goes to stdout. */
const program = new Command('token').description('Issue, list and revoke credentials, the SSH keys of sellers, and subjects of an issuer.')

program
  .command('issue')
  .description('print a new token')
  .requiredOption('--tenant <entity>', 'the buyer_entity or seller that it speaks for, or a name for the operators', entity)
  .addOption(new Option('--side <side>', 'whose credential it is').choices(CREDENTIAL_SIDES).makeOptionMandatory())
  .option('--scopes <list>', 'comma-separated; every scope of the side when left out', scopes)
  .option('--ttl <duration>', 'lifetime such as 30d, 12h, 15m, 90s; for ever when left out', seconds)
  .action(({ tenant, side, scopes, ttl }: { tenant: string; side: CredentialSide; scopes?: Scope[]; ttl?: number }) =>
    withDatabase(async (db, { mode }) => {
      const kind = mode === 'sandbox' ? 'test' : 'live'
      const { token } = await issueCredential(db, {
        entity: tenant,
        side,
        kind,
        via: 'command_line',
        ...(scopes === undefined ? {} : { scopes }),
        ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
      })
      print(token)
    }),
  )

program
  .command('list')
  .description('list credentials, one a line')
  .action(() =>
    withDatabase(async (db) => {
      for (const credential of await listCredentials(db)) {
        const { credential_id, entity, side, last_four, scopes, expires_at, revoked_at } = credential
        const state = revoked_at !== null ? 'revoked' : expires_at !== null && expires_at <= new Date().toISOString() ? 'expired' : 'active'
        print([credential_id, side, entity, `…${last_four}`, state, expires_at ?? 'no expiry', scopes.join(',')].join('\t'))
      }
    }),
  )

program
  .command('revoke <credential>')
  .description('revoke a credential by its id or its token; running servers stop honouring it within 5 s')
  .option('--successor <credential>', 'the id of the credential that its webhook endpoints and queue pass to; without one they stop')
  .action((credential: string, { successor }: { successor?: string }) =>
    withDatabase(async (db) => {
      const revoked = await revokeCredential(db, credential, { via: 'command_line', successor })
      if (revoked === undefined) throw new CredentialFault('There is no active credential of that id or token.')
      warnOfStopped(revoked.stopped)
      print('revoked')
    }),
  )

const sftpKey = program.command('sftp-key').description('Add, list and revoke the SSH keys with which sellers sign in to the SFTP server.')

sftpKey
  .command('add')
  .description('let a seller sign in with a key; print its id')
  .requiredOption('--tenant <seller>', 'the seller', entity)
  .requiredOption('--file <id.pub>', 'the public key, as ssh-keygen writes it: ed25519, ecdsa, or rsa of at least 2048 bits')
  .action(({ tenant, file }: { tenant: string; file: string }) =>
    withDatabase(async (db) => print(await addSftpKey(db, tenant, await readKeyFile(file)))),
  )

sftpKey
  .command('list')
  .description('list keys, one a line')
  .action(() =>
    withDatabase(async (db) => {
      for (const { key_id, seller, algorithm, public_key, comment, revoked_at } of await listSftpKeys(db)) {
        const state = revoked_at === null ? 'active' : 'revoked'
        print([key_id, seller, algorithm, sshFingerprint(public_key), state, comment].join('\t'))
      }
    }),
  )

sftpKey
  .command('revoke <key>')
  .description('revoke a key by its id; connections that it opened end within 5 s')
  .action((key: string) =>
    withDatabase(async (db) => {
      if (!(await revokeSftpKey(db, key))) throw new CredentialFault('There is no active SSH key of that id.')
      print('revoked')
    }),
  )

const subject = program
  .command('subject')
  .description('List, revoke and restore the people and programs that have come with tokens of an issuer.')

subject
  .command('list')
  .description('list subjects, one a line')
  .action(() =>
    withDatabase(async (db) => {
      for (const { subject_id, side, entity, issuer, subject, seen_at, revoked_at } of await listSubjects(db))
        print([subject_id, side, entity, issuer, subject, seen_at, revoked_at === null ? 'active' : 'revoked'].join('\t'))
    }),
  )

subject
  .command('revoke <subject>')
  .description('refuse the tokens and sessions of a subject within 5 s, whatever its issuer says')
  .action((id: string) =>
    withDatabase(async (db) => {
      const revoked = await revokeSubject(db, id)
      if (revoked === undefined) throw new CredentialFault('There is no active subject of that id.')
      warnOfStopped(revoked.stopped)
      print('revoked')
    }),
  )

subject
  .command('restore <subject>')
  .description('accept the tokens of a revoked subject again')
  .action((id: string) =>
    withDatabase(async (db) => {
      if (!(await restoreSubject(db, id))) throw new CredentialFault('There is no revoked subject of that id.')
      print('restored')
    }),
  )

function warnOfStopped(stopped: number): void {
  if (stopped > 0) process.stderr.write(`${stopped} webhook endpoints and queues stop: enable them with another credential.\n`)
}

async function readKeyFile(file: string): Promise<SshPublicKey> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CredentialFault(`${file} cannot be read (${code}).`)
  })
  return readSshPublicKey(text)
}

async function withDatabase(work: (db: Database, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig()
  const db = openDatabase(config.databaseUrl ?? (await postgresUrl(config.dataDir)), { max: 2 })
  try {
    await work(db, config)
  } finally {
    await db.close()
  }
}

function entity(text: string): string {
  if (!isEntity(text)) throw new InvalidArgumentError(`A tenant is ${ENTITY_FORM}.`)
  return text
}

function scopes(text: string): Scope[] {
  const asked = text.split(',').map((scope) => scope.trim())
  const unknown = asked.filter((scope) => !Object.hasOwn(SCOPES, scope))
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. Scopes are ${Object.keys(SCOPES).join(', ')}.`)
  return asked as Scope[]
}

function seconds(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (number === undefined || unit === undefined || number === '0')
    throw new InvalidArgumentError('A duration is a number and s, m, h or d, such as 30d.')
  return Number(number) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd']
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

program.parseAsync().catch(endWith)
