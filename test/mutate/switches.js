// Part of a mutated build: says which of its faults is switched on, and keeps which of them were reached.

/** The process that runs this. The sandbox of workflows hides it, but not from a function that a class of the process makes. */
const host = globalThis.process ?? globalThis.AsyncLocalStorage.constructor('return process')()

/** The process of jest keeps what it reaches by itself. Others, threads and sandboxes tell it by a file. */
const state = globalThis.mutation ?? { active: Number(host.env.MUTANT ?? 0), reached: new Uint8Array(1 << 17) }
const told = globalThis.mutation === undefined ? host.env.MUTANTS_REACHED : undefined

/** @returns {boolean} Whether this fault is switched on. */
export function mutant(id) {
  reach(id)
  return id === state.active
}

function reach(id) {
  if (state.reached[id] === 1) return
  state.reached[id] = 1
  if (told !== undefined) host.getBuiltinModule('node:fs').appendFileSync(told, `${id}\n`)
}

/** Returns a statement that is made again whenever another of its faults is switched on. */
export function lazy(first, last, make) {
  const made = new Map()
  const current = () => {
    for (let id = first; id <= last; id += 1) reach(id)
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
