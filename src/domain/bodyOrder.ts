import type { Fault } from '../contract/errorEnvelope.ts'
import { Refusal, refusalOf } from './refusal.ts'

/** Sorts a refusal's faults by the position of their members in the body. The first fault becomes the reply's error (choices, Error envelope). */
export function inBodyOrder(error: unknown, body: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults.length < 2) return error
  const [first, ...rest] = sorted(error.faults, body)
  return first === undefined ? error : refusalOf([first, ...rest])
}

/** Keeps the order of faults of one member. A missing member sorts to the end of its object. */
function sorted(faults: readonly Fault[], body: unknown): Fault[] {
  const placeOf = places()
  return faults
    .map((fault) => ({ fault, place: placeOf(fault.field, body) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ fault }) => fault)
}

function places(): (field: string | undefined, body: unknown) => number[] {
  const keysOf = new Map<object, Map<string, number>>()
  return (field, body) => {
    const place: number[] = []
    let value = body
    for (const key of field?.split('.') ?? []) {
      if (typeof value !== 'object' || value === null) break
      const keys = keysOf.get(value) ?? new Map(Object.keys(value).map((name, index) => [name, index]))
      keysOf.set(value, keys)
      place.push(keys.get(key) ?? Number.MAX_SAFE_INTEGER)
      value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
    }
    return place
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
