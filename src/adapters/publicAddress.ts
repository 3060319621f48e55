import ipaddr from 'ipaddr.js'

/**
 * Whether an address is one of the public internet (architecture, Outbound calls): IPv4 in no special range and none of a cloud's own; IPv6 in 2000::/3 alone, without
 * the parts of it that tunnel to IPv4 or are for documentation.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !PLATFORM.some((range) => parsed.match(range))
  return parsed.match(GLOBAL) && !INNER.some((range) => parsed.match(range))
}

/** Whether an address is this machine's own, in its plain form: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

/**
 * Addresses that look public and lead to the platform that a machine runs on: Azure's host, the services behind IBM Cloud's machines, Google's
 * private APIs, Oracle's metadata. The others (169.254.169.254, 100.100.100.200, fd00:ec2::254 and their like) lie in special ranges.
 */
const PLATFORM = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '199.36.153.4/30', '199.36.153.8/30', '192.0.0.0/24'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
const INNER = ['2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
