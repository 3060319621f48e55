import type { MailActivities } from '../../activities/mails.ts'
import type { MailState } from '../../src/domain/edi/mailState.ts'

/** The mails of one agreement as the database would have them. */
export interface FakeMails {
  readonly activities: MailActivities
  /** When each round began, by the clock of the server. */
  readonly rounds: number[]
  /** What the next rounds leave; after them nothing waits. A function is called with the time of its round. */
  leave(...states: (MailState | ((now: number) => MailState))[]): void
  /** Happens in every round. */
  during(happens: () => Promise<void>): void
}

export const NOTHING: MailState = { at: null, waiting: 0, seller: null, buyer_entity: null, stuck: null }

/** One mail that waits for so long. */
export function waits(milliseconds: number, stuck: MailState['stuck'] = null): (now: number) => MailState {
  return (now) => ({ at: new Date(now + milliseconds).toISOString(), waiting: 1, seller: 'cable', buyer_entity: 'acme', stuck })
}

/** `now` is the clock of the server, which may skip time. */
export function fakeMails(now: () => Promise<number>): FakeMails {
  const rounds: number[] = []
  let states: (MailState | ((now: number) => MailState))[] = []
  let happens: () => Promise<void> = async () => undefined
  return {
    rounds,
    activities: {
      async sendMails() {
        const began = await now()
        rounds.push(began)
        const state = states.shift() ?? NOTHING
        await happens()
        return typeof state === 'function' ? state(began) : state
      },
    },
    leave(...next) {
      rounds.length = 0
      states = next
      happens = async () => undefined
    },
    during(next) {
      happens = next
    },
  }
}
