import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { processIdentity } from './processIdentity.ts'

/** One particular process, as opposed to a later one with the same pid. */
export interface Incarnation {
  pid: number
  identity: string
  /** The file that records the process. */
  note: string
}

/** Processes recorded in a folder, one file each, whose name identifies the incarnation. */
export interface Incarnations {
  /** Records a process; undefined if it has already ended. */
  add(pid: number): Promise<Incarnation | undefined>
  remove(one: Incarnation): Promise<void>
  /** Returns the recorded processes that are alive, and removes the records of the others. */
  living(): Promise<Incarnation[]>
}

export async function openIncarnations(folder: string): Promise<Incarnations> {
  await makeFolder(folder, 0o700)
  const remove = ({ note }: Incarnation) => rm(note, { force: true })
  return {
    add: async (pid) => {
      const identity = await processIdentity(pid)
      if (identity === undefined) return undefined
      const note = join(folder, `${pid}@${identity}`)
      await writeFile(note, '', { mode: 0o600 })
      return { pid, identity, note }
    },
    remove,
    living: async () => {
      const living: Incarnation[] = []
      for (const name of await readdir(folder)) {
        const [pid = '', identity = ''] = name.split('@')
        const one = { pid: Number(pid), identity, note: join(folder, name) }
        if ((await processIdentity(one.pid)) === identity) living.push(one)
        else await remove(one)
      }
      return living
    },
  }
}
