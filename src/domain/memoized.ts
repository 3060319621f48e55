/** Returns a function of a text or a number that caches its results, for as many arguments as recur in one piece of work. */
export function memoized<Argument extends string | number, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const known = new Map<Argument, Value>()
  return (argument) => {
    const found = known.get(argument)
    if (found !== undefined) return found
    const kept = copyOf(argument)
    const value = compute(kept)
    if (known.size >= MAX) known.clear()
    known.set(kept, value)
    return value
  }
}

const MAX = 5_000

/** Copies a text, since one that was cut out of a longer text keeps all of that text in memory. */
function copyOf<Argument extends string | number>(argument: Argument): Argument {
  return JSON.parse(JSON.stringify(argument))
}
