import { execFileSync } from 'node:child_process'
import pg from 'pg'

/**
 * Stops every process of the server of a database, as when its host freezes: connections stay open, the kernel accepts new ones, and
 * nothing answers. Returns a function that lets the server go on.
 */
export async function freezePostgres(url: string): Promise<() => void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = processes().find(({ pid }) => pid === rows[0]?.pid)?.parent
  await client.end()
  if (server === undefined) throw new Error('The server of the database does not run on this machine.')
  const all = [server, ...processes().flatMap(({ pid, parent }) => (parent === server ? [pid] : []))]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
  }
}

function processes(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parent }
  })
}
