/**
 * Folders that sellers have created and that contain no file yet. An object store has no folders, but clients look for the folder that they
 * have just created. Only this process keeps them, and it forgets them when it ends.
 */
export interface MadeFolders {
  add(seller: string, drop: string): void
  /** The time of creation, in epoch milliseconds. */
  madeAt(seller: string, drop: string): number | undefined
  of(seller: string): string[]
  remove(seller: string, drop: string): boolean
}

/** The most folders kept per seller; beyond that the oldest one is forgotten. */
const REMEMBERED = 100

export function madeFolders(now: () => number = Date.now): MadeFolders {
  const sellers = new Map<string, Map<string, number>>()
  return {
    add(seller, drop) {
      const folders = sellers.get(seller) ?? new Map<string, number>()
      sellers.set(seller, folders)
      if (folders.size >= REMEMBERED) folders.delete(folders.keys().next().value as string)
      folders.set(drop, now())
    },
    madeAt: (seller, drop) => sellers.get(seller)?.get(drop),
    of: (seller) => [...(sellers.get(seller)?.keys() ?? [])],
    remove: (seller, drop) => sellers.get(seller)?.delete(drop) ?? false,
  }
}
