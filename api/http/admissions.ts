import type { RateLimit } from '../../src/config/index.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { tokenBuckets } from '../../src/domain/tokenBuckets.ts'
import type { Admissions, Wanted } from '../../src/store/tenants/subjects.ts'

/**
 * The rate of new subjects per tenant, and of new tenants overall, that a process admits. Each admission writes, and the rate limits count
 * by subject, so tokens that each name a new subject would pass them.
 */
const ADMISSIONS: RateLimit = { perSecond: 10, burst: 100 }

/** The key under which new tenants are counted; no tenant has this name. */
const ALL_TENANTS = ''

/** Counts each admission once: parallel first requests of a subject wait for the first of them and share its result. */
export function openAdmissions(): Admissions {
  const buckets = tokenBuckets(ADMISSIONS)
  const underWay = new Map<string, Promise<unknown>>()
  const admit = async <Admitted>(counter: string, { find, write }: Wanted<Admitted>): Promise<Admitted> => {
    const found = await find()
    if (found !== undefined) return found
    const retry_after = buckets.take(counter, 1)
    if (retry_after > 0) {
      const { perSecond, burst } = ADMISSIONS
      const message = `There may be ${perSecond} new subjects a second, ${burst} in a burst: try again in ${retry_after} s.`
      throw overLimit({ limit: 'new subjects', most: perSecond, window_s: 1, burst }, message, retry_after)
    }
    return write()
  }
  const once = <Admitted>(key: string, work: () => Promise<Admitted>): Promise<Admitted> => {
    const first = underWay.get(key)
    if (first !== undefined) return first as Promise<Admitted>
    const only = work().finally(() => underWay.delete(key))
    underWay.set(key, only)
    return only
  }
  return {
    tenant: (entity, wanted) => once(JSON.stringify([entity]), () => admit(ALL_TENANTS, wanted)),
    subject: (entity, subject, wanted) => once(JSON.stringify([entity, subject]), () => admit(entity, wanted)),
  }
}
