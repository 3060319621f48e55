import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageFault } from './exits.ts'

/** How a person or a program reaches a marketplace as one tenant. */
export interface Profile {
  readonly url: string
  readonly token: string
}

interface Profiles {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Returns the folder of what the command line keeps for its user: `order-marketplace` in `XDG_CONFIG_HOME`, or in `~/.config`. */
export function keptFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'order-marketplace')
}

export function profilesFile(): string {
  return join(keptFolder(), 'profiles.json')
}

/** Returns the profile of that name, or the one that was logged in with last; undefined if no name is given and there is none. */
export async function findProfile(name: string | undefined): Promise<Profile | undefined> {
  const { current, profiles } = await readProfiles()
  const wanted = name ?? current
  if (wanted === undefined) return undefined
  const profile = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (profile !== undefined) return profile
  const known = Object.keys(profiles)
  const others = known.length === 0 ? 'There is none yet' : `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`
  throw new UsageFault(`There is no profile ${JSON.stringify(wanted)}. ${others}: order-marketplace login --profile ${wanted} makes it.`)
}

/** Keeps a profile and makes it the current one. */
export async function keepProfile(name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles()
  await keepPrivate(profilesFile(), `${JSON.stringify({ current: name, profiles: { ...profiles, [name]: profile } }, null, 2)}\n`)
}

async function readProfiles(): Promise<Profiles> {
  const file = profilesFile()
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageFault(`${file} cannot be read (${error.code}).`)
  })
  if (text === undefined) return { profiles: {} }
  const kept = parsed(text) as Partial<Profiles> | undefined
  if (typeof kept?.profiles !== 'object') throw new UsageFault(`${file} is damaged: remove it, and log in again.`)
  return kept as Profiles
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces a file as a whole, so that no reader sees half of it, and lets nobody else read it. */
export async function keepPrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  await writeFile(next, text, { mode: 0o600 })
  await chmod(next, 0o600)
  await rename(next, file)
}
