import { isOutage } from './fault.ts'
import { rest } from './rest.ts'

const FIRST_PAUSE_MS = 500
const TRIES = 4

/** Repeats a command while its reply is lost. The API answers an exact repeat with the stored outcome, so nothing is carried out twice. */
export async function untilAnswered<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send()
    } catch (error) {
      if (!isOutage(error) || tried === TRIES) throw error
      await rest(FIRST_PAUSE_MS * 2 ** (tried - 1))
    }
  }
}
