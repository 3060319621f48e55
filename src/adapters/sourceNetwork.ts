import ipaddr from 'ipaddr.js'

/** What counts as one source of connections: an IPv4 address, or an IPv6 network of 64 bits, since one customer usually has all of its addresses. */
export function sourceNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
