import { Refusal } from '../../src/domain/refusal.ts'

/** Returns the refusal of an act; any other error, or success, fails the test. */
export function refusalOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}
