// Part of a mutated build: says which of its faults is switched on, and keeps which of them were reached.

/** The id of the fault in the bundle of the workflows, which cannot see the variables of its process; written there before a run. */
const IN_BUNDLE = Number('@0000000@'.slice(1, -1))

globalThis.mutation ??= { active: Number(globalThis.process?.env?.MUTANT ?? 0) || IN_BUNDLE, reached: new Uint8Array(1 << 17) }
const state = globalThis.mutation

/** @returns {boolean} Whether this fault is switched on. */
export function mutant(id) {
  state.reached[id] = 1
  return id === state.active
}

/** Returns a statement that is made again whenever another of its faults is switched on. */
export function lazy(first, last, make) {
  const made = new Map()
  const current = () => {
    state.reached.fill(1, first, last + 1)
    const fault = within(first, last)
    if (!made.has(fault)) made.set(fault, make())
    return made.get(fault)
  }
  return new Proxy(
    {},
    {
      get: (_, member) => current()[member],
      has: (_, member) => member in current(),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_, member) => ({ value: current()[member], enumerable: true, configurable: true }),
    },
  )
}

/** Returns the name of a prepared statement, which belongs to one text. */
export function nameOf(first, last, name) {
  const fault = within(first, last)
  return fault === 0 ? name : `${name}-${fault}`
}

function within(first, last) {
  return state.active >= first && state.active <= last ? state.active : 0
}
