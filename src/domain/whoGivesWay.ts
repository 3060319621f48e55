import { addUp } from './addUp.ts'

/** One who holds a place that others want. */
interface Holder {
  readonly source: string
  /** Since when it has done nothing, in epoch milliseconds. */
  readonly quietSince: number
}

/**
 * Returns the holder that makes room for a newcomer: of the source that holds the most places, the one that has been quiet for longest. Hence
 * a few sources cannot hold all places against others.
 */
export function whoGivesWay<T extends Holder>(holders: readonly T[]): T | undefined {
  const places = new Map<string, number>()
  for (const { source } of holders) addUp(places, source)
  const placesOf = ({ source }: Holder) => places.get(source) ?? 0
  const [first] = [...holders].sort((one, other) => placesOf(other) - placesOf(one) || one.quietSince - other.quietSince)
  return first
}
