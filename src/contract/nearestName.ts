import { distance } from 'fastest-levenshtein'

/** Finds `do_not_air` for `doNotAir` and `do-not-air`; otherwise a name in which at most a third of the characters differ. */
export function nearestName(sent: string, names: Iterable<string>): string | undefined {
  if (sent.length > 64) return undefined
  const plain = plainName(sent)
  const [best] = [...names].map((name) => ({ name, off: distance(plain, plainName(name)) })).sort((a, b) => a.off - b.off)
  return best !== undefined && best.off <= Math.floor(plain.length / 3) ? best.name : undefined
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Returns what a message says after the name of a member that nothing knows. */
export function nearestIs(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; the nearest is ${nearest}`
}
