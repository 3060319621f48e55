import type { Request } from 'express'
import type { Logger } from 'pino'

/** The most proxies that are named; anybody can send these headers, so their number is bounded. */
const NAMED = 10
const SEEN = 1_000

/**
 * Returns a look at each request, which warns once of a peer that states its client's address and is not trusted to. If it is the operator's
 * proxy, all its clients count as one address: one limit of connections, one throttle of sign-ins (choices, Address of a request).
 */
export function unknownProxies(log: Pick<Logger, 'warn'>, isTrusted: (address: string) => boolean): (req: Request) => void {
  const seen = new Set<string>()
  let named = 0
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
    const proxy = socket.remoteAddress
    if (proxy === undefined || named >= NAMED || seen.size >= SEEN || seen.has(proxy)) return
    seen.add(proxy)
    if (isTrusted(proxy)) return
    named += 1
    log.warn(
      { proxy },
      'a peer states the addresses of its clients and is not in TRUSTED_PROXIES: if it is a proxy of yours, name it there',
    )
  }
}
