import type { Request } from 'express'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { sourceNetwork } from '../src/adapters/sourceNetwork.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { sourceOf } from './auth.ts'

/** Counts a sign-in against its address unless it succeeds. */
export type SignInThrottle = <T>(req: Request, signIn: () => Promise<T>) => Promise<T>

const REFUSED_A_MINUTE = 10
/** The limit per credential; a person signs in only a few times a day. */
export const SIGN_INS_PER_DAY = 1_000

/** Limits refused sign-ins to ten per minute and address (RATE_LIMITED). Sign-in ways that share a throttle share its count. */
export function signInThrottle(): SignInThrottle {
  const limiter = new RateLimiterMemory({ keyPrefix: 'sign-in', points: REFUSED_A_MINUTE, duration: 60 })
  return async (req, signIn) => {
    const source = sourceNetwork(sourceOf(req))
    await consume(limiter, source, 'Too many refused sign-ins from your address')
    const signedIn = await signIn()
    await limiter.reward(source)
    return signedIn
  }
}

/** Counts the sign-ins with a credential. RATE_LIMITED beyond `most` per day, since the audit log keeps each of them. */
export function dailySignIns(most: number): (credentialId: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ keyPrefix: 'signed-in', points: most, duration: 86_400 })
  return (credentialId) => consume(limiter, credentialId, 'Too many sign-ins with your credential in a day')
}

async function consume(limiter: RateLimiterMemory, key: string, refusal: string): Promise<void> {
  await limiter.consume(key).catch((refused: unknown) => {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const retry_after = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    throw new Refusal('RATE_LIMITED', `${refusal}: try again in ${retry_after} s.`, { retry_after })
  })
}
