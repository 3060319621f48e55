import { readFile, stat } from 'node:fs/promises'
import { StartupError } from './startupError.ts'

/** Returns the user that root runs the database as: the owner of its files, else `nobody` or another unprivileged user. */
export async function systemUser(ownedPath: string): Promise<{ uid: number; gid: number }> {
  const owned = await stat(ownedPath).catch(() => undefined)
  if (owned && owned.uid !== 0) return { uid: owned.uid, gid: owned.gid }
  // initdb requires a user that has a name.
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const users = lines
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0)
  const user =
    users.find(({ uid }) => uid === 65_534) ?? users.find(({ name }) => name === 'postgres' || name === 'nobody' || name === 'daemon')
  if (user) return { uid: user.uid, gid: user.gid }
  throw new StartupError(
    'PostgreSQL does not run as root and no system user was found for it; start the marketplace as an ordinary user or set DATABASE_URL.',
  )
}
