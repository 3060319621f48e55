import type { Request } from 'express'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { sourceNetwork } from '../src/adapters/sourceNetwork.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { sourceOf } from './auth.ts'

/** Counts a sign-in against its address unless it succeeds. */
export type SignInThrottle = <T>(req: Request, signIn: () => Promise<T>) => Promise<T>

const REFUSED_A_MINUTE = 10

/** Ways to sign in that share a throttle share its count. RATE_LIMITED beyond ten refused sign-ins a minute and address. */
export function signInThrottle(): SignInThrottle {
  const limiter = new RateLimiterMemory({ keyPrefix: 'sign-in', points: REFUSED_A_MINUTE, duration: 60 })
  return async (req, signIn) => {
    const source = sourceNetwork(sourceOf(req) ?? '')
    await limiter.consume(source).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused
      const retry_after = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      throw new Refusal('RATE_LIMITED', `Too many refused sign-ins from your address: try again in ${retry_after} s.`, { retry_after })
    })
    const signedIn = await signIn()
    await limiter.reward(source)
    return signedIn
  }
}
