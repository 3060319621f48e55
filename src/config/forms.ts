import { isIP } from 'node:net'
import { z } from 'zod'
import { parseStorageUrl, STORAGE_URL_FORM } from './location.ts'
import { isLoopbackAddress } from './publicAddress.ts'

/** How often a credential may send requests: the number per second, and the most at once. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/** How much one tenant or address may hold at once, and how much all of them together. */
export interface SharedLimit {
  perTenant: number
  total: number
}

/** The schemas of environment variables. Each fault is one sentence that names the variable, the allowed values and the given value. */
export function port(name: string, max = 65535) {
  const error = mustBe(name, `a whole number from 1 to ${max}`)
  return z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, { error })
    .optional()
}

export function host(name: string) {
  return z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: mustBe(name, 'a host name or an address without port') })
}

export function key(name: string) {
  return z
    .string()
    .trim()
    .refine(
      (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
      `${name} must be 32 random bytes in base64, as openssl rand -base64 32 prints them.`,
    )
    .transform((text) => Buffer.from(text, 'base64'))
    .optional()
}

export function count(name: string, standard: number, { least = 1, max = 9_999_999_999 } = {}) {
  const error = mustBe(name, `a whole number from ${least} to ${max}`)
  return z
    .string()
    .trim()
    .regex(/^\d{1,16}$/, { error })
    .default(String(standard))
    .transform(Number)
    .refine((number) => number >= least && number <= max, { error })
}

/** Parses a rate, the number per second and the most at once, as `50/100`. */
export function rate(name: string, standard: string) {
  const error = mustBe(name, `two whole numbers from 1, how many a second and at least as many at once, such as ${standard}`)
  return pair(standard, error).transform(([perSecond, burst]): RateLimit => ({ perSecond, burst }))
}

/** Parses the most that one may hold and the most that all may, as `1000/5000`. */
export function shared(name: string, standard: string) {
  const error = mustBe(name, `two whole numbers from 1, the most for one and at least as many for all, such as ${standard}`)
  return pair(standard, error).transform(([one, all]): SharedLimit => ({ perTenant: one, total: all }))
}

function pair(standard: string, error: ReturnType<typeof mustBe>) {
  const numbersOf = (text: string) => text.split('/').map(Number) as [number, number]
  return z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,9}\/[1-9]\d{0,9}$/, { error })
    .refine((text) => numbersOf(text)[0] <= numbersOf(text)[1], { error })
    .default(standard)
    .transform(numbersOf)
}

export function url(name: string, schemes: string[], form: string) {
  // The sentence does not repeat the value, since a database URL holds a password.
  const isOne = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol)
  return z.string().trim().refine(isOne, `${name} must be ${form}.`).optional()
}

/** Parses the location of a store. The sentence does not repeat the value, which may contain a password. */
export function store(name: string) {
  return z
    .string()
    .trim()
    .transform((text, context) => {
      const location = parseStorageUrl(text)
      if (location === undefined) context.addIssue({ code: 'custom', message: `${name} must be ${STORAGE_URL_FORM}.` })
      return location
    })
    .optional()
}

export function isHostAndPort(text: string): boolean {
  const [, port] = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(text) ?? []
  return Number(port) >= 1 && Number(port) <= 65_535
}

export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host)
}

export function mustBe(name: string, form: string) {
  return (issue: { input?: unknown }) => `${name} must be ${form}; it is "${String(issue.input)}".`
}
