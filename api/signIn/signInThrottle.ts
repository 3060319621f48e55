import { hash } from 'node:crypto'
import type { Request } from 'express'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { sourceNetwork } from '../../src/adapters/http/sourceNetwork.ts'
import { overLimit, type Quota } from '../../src/domain/overLimit.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { sourceOf } from './auth.ts'

/** Limits refused sign-ins. Sign-in ways that share a throttle share its count of an address. */
export interface SignInThrottle {
  /**
   * Signs in with a credential that the request names. Refusals count for the credential from this address, and for the address; beyond
   * either limit they are RATE_LIMITED. A right credential is let in even then: whoever else fails must not shut out its owner.
   */
  known<T>(req: Request, account: string, signIn: () => Promise<T>): Promise<T>
  /** Signs in somebody whom only an issuer can name. RATE_LIMITED beyond the limit of the address, before the issuer is asked. */
  unknown<T>(req: Request, signIn: () => Promise<T>): Promise<T>
}

/** Refused sign-ins a minute: with one credential from an address, and from an address, behind which there may be many people. */
const REFUSED_A_MINUTE = { ofAccount: 10, ofAddress: 100 }
/** The limit per credential; a person signs in only a few times a day. */
export const SIGN_INS_PER_DAY = 1_000

export function signInThrottle(): SignInThrottle {
  const accounts = new RateLimiterMemory({ keyPrefix: 'sign-in-account', points: REFUSED_A_MINUTE.ofAccount, duration: 60 })
  const addresses = new RateLimiterMemory({ keyPrefix: 'sign-in', points: REFUSED_A_MINUTE.ofAddress, duration: 60 })
  const countAddress = (source: string) =>
    consume(addresses, source, REFUSED, `More than ${REFUSED_A_MINUTE.ofAddress} refused sign-ins in a minute from your address`)
  return {
    async known(req, account, signIn) {
      try {
        return await signIn()
      } catch (error) {
        if (!isRefusal(error)) throw error
        const source = sourceNetwork(sourceOf(req))
        await countAddress(source)
        // What is kept of an account is short, whatever a client has sent.
        const key = `${source} ${hash('sha256', account, 'base64')}`
        await consume(accounts, key, REFUSED, `More than ${REFUSED_A_MINUTE.ofAccount} refused sign-ins in a minute with this credential`)
        throw error
      }
    },
    async unknown(req, signIn) {
      const source = sourceNetwork(sourceOf(req))
      await countAddress(source)
      let isRefused = false
      try {
        return await signIn()
      } catch (error) {
        isRefused = isRefusal(error)
        throw error
      } finally {
        if (!isRefused) await addresses.reward(source)
      }
    },
  }
}

/** Logs each sign-in that is refused, with its reason, which repeats nothing that was presented. */
export function loggingRefusals(throttle: SignInThrottle, log: Pick<Logger, 'info'>): SignInThrottle {
  const logged = (req: Request) => (error: unknown) => {
    if (error instanceof Refusal && error.code !== 'UNAVAILABLE')
      log.info(
        { source: sourceNetwork(sourceOf(req)), reason: error.message, request_id: req.headers['x-request-id'] },
        'a sign-in was refused',
      )
    throw error
  }
  return {
    known: (req, account, signIn) => throttle.known(req, account, signIn).catch(logged(req)),
    unknown: (req, signIn) => throttle.unknown(req, signIn).catch(logged(req)),
  }
}

/** Whether the credential was refused, and not that it could not be checked: the issuer or the database may be away. */
function isRefusal(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN')
}

/** Counts the sign-ins with a credential. RATE_LIMITED beyond `max` per day, since the audit log keeps each of them. */
export function dailySignIns(max: number): (credentialId: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ keyPrefix: 'signed-in', points: max, duration: 86_400 })
  return (credentialId) => consume(limiter, credentialId, 'sign-ins', 'Too many sign-ins with your credential in a day')
}

const REFUSED = 'refused sign-ins'

async function consume(limiter: RateLimiterMemory, key: string, limit: Quota['limit'], refusal: string): Promise<void> {
  await limiter.consume(key).catch((refused: unknown) => {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const retry_after = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    const quota = { limit, most: limiter.points, window_s: limiter.duration }
    throw overLimit(quota, `${refusal}: try again in ${retry_after} s.`, retry_after)
  })
}
