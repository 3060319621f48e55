/**
 * Folders that sellers have made and that have no file yet. A store of objects has no folders of its own, and clients look for what they
 * have just made. They are kept by this process alone and are forgotten when it ends.
 */
export interface MadeFolders {
  add(seller: string, drop: string): void
  /** When it was made, in epoch milliseconds. */
  madeAt(seller: string, drop: string): number | undefined
  of(seller: string): string[]
  remove(seller: string, drop: string): boolean
}

/** Of one seller; beyond them the oldest is forgotten. */
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
