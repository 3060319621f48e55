import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../adapters/makeFolder.ts'
import { processIdentity } from './processIdentity.ts'

/** One process, and not another one that has its pid by now. */
export interface Incarnation {
  pid: number
  identity: string
  /** The file that notes it. */
  note: string
}

/** Processes noted in a folder, one file each, whose name says which incarnation it is. */
export interface Incarnations {
  /** Notes a process; undefined when it has ended by now. */
  add(pid: number): Promise<Incarnation | undefined>
  remove(one: Incarnation): Promise<void>
  /** The noted processes that live; the notes of the others are removed. */
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
