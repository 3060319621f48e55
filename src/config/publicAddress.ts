import ipaddr from 'ipaddr.js'

/**
 * Returns true for an address of the public internet (architecture, Outbound calls): IPv4 outside of special ranges and of the ranges that
 * cloud platforms use internally; IPv6 in 2000::/3, except the parts that tunnel to IPv4 or are for documentation.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !PLATFORM.some((range) => parsed.match(range))
  return parsed.match(GLOBAL) && !INNER.some((range) => parsed.match(range))
}

/** Returns true for a loopback address in plain form: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

/**
 * Addresses that look public but reach the cloud platform of the machine: Azure's host, IBM Cloud's internal services, Google's private APIs,
 * Oracle's metadata. Other metadata addresses (169.254.169.254, 100.100.100.200, fd00:ec2::254 and similar) are in special ranges.
 */
const PLATFORM = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '199.36.153.4/30', '199.36.153.8/30', '192.0.0.0/24'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
const INNER = ['2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))
