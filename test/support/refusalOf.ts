import { Refusal } from '../../src/domain/refusal.ts'

/** What an act is refused with; anything else that it throws, or a yes, fails the test. */
export function refusalOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}
