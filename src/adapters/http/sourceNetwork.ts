import ipaddr from 'ipaddr.js'

/** Returns the network that counts as one source: an IPv4 address, or an IPv6 /64, since one customer usually has all of its addresses. */
export function sourceNetwork(address?: string | null): string {
  if (address == null || !ipaddr.isValid(address)) return address ?? ''
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
