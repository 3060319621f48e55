import ipaddr from 'ipaddr.js'

/**
 * Whether an address is one of the public internet (promises, Outbound calls): IPv4 in no special range; IPv6 in 2000::/3 alone, without
 * the parts of it that tunnel to IPv4 or are for documentation.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  return parsed.match(GLOBAL) && !INNER.some((range) => parsed.match(range))
}

/** Whether an address is this machine's own, in its plain form: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
const INNER = ['2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
