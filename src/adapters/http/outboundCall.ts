import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isLoopbackAddress, isPublicAddress } from '../../config/publicAddress.ts'
import { CallFault, exchange, type OutboundAnswer, type OutboundRequest } from './outboundExchange.ts'
import { skipContinue } from './skipContinue.ts'

export interface Outbound {
  call(request: OutboundRequest): Promise<OutboundAnswer>
  close(): Promise<void>
}

/**
 * The only client for servers that tenants name (architecture, Outbound calls). It checks each address when a socket connects, IP literals
 * included. It follows no redirects, uses no proxy and always verifies TLS. Plain http reaches only this machine, and only with
 * `allowLoopback`. `nameServers` replaces the system's name servers.
 */
export function createOutboundClient({
  allowLoopback,
  nameServers,
}: {
  allowLoopback: boolean
  nameServers?: readonly string[]
}): Outbound {
  const mayReach = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
  // Queries name servers directly: the system resolver has four threads, and four slow names would block them all.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardedLookup(resolver, mayReach) })
  const agent = new Agent({
    connect: (options, callback) => {
      const { protocol, hostname } = options
      // An IP literal is never resolved, so it is checked here.
      const mayTry = protocol === 'https:' ? isIP(hostname) === 0 || mayReach(hostname) : allowLoopback && isLocal(hostname)
      if (mayTry)
        connect(options, (...[error, socket]) =>
          socket ? callback(null, skipContinue(socket)) : callback(error ?? new Error('no socket'), null),
        )
      else callback(new CallFault('refused_address'), null)
    },
    maxHeaderSize: 16_384,
    keepAliveTimeout: 4_000,
  })
  return {
    call: (request) => exchange(agent, request),
    close: async () => {
      resolver.cancel()
      await agent.destroy()
    },
  }
}

const CONNECT_MS = 5_000

function isLocal(hostname: string): boolean {
  return isLocalName(hostname) || isLoopbackAddress(hostname)
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname)
}

/** Resolves a name to the addresses that may be called. */
function guardedLookup(resolver: Resolver, mayReach: (address: string) => boolean): LookupFunction {
  const addressesOf = async (hostname: string): Promise<string[]> => {
    if (isLocalName(hostname)) return ['127.0.0.1', '::1']
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0) throw new CallFault('dns')
    return found
  }
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => {
        const reachable = found.filter(mayReach).map((address) => ({ address, family: isIP(address) }))
        const [first] = reachable
        if (first === undefined) callback(new CallFault('refused_address'), '', 0)
        else if (options.all) callback(null, reachable)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }
}
