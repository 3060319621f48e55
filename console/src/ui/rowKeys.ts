import type { KeyBinding } from './keys.ts'

/** Returns the keys that move between rows: `Next order`, `Previous line`. */
export function rowKeys(noun: string, move: (step: number) => void): KeyBinding[] {
  const [next, previous] = [
    { does: `Next ${noun}`, run: () => move(1) },
    { does: `Previous ${noun}`, run: () => move(-1) },
  ]
  return [
    { keys: 'j', ...next },
    { keys: 'k', ...previous },
    { keys: 'ArrowDown', ...next },
    { keys: 'ArrowUp', ...previous },
  ]
}
