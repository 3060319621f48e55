import ipaddr from 'ipaddr.js'

/** What counts as one source of connections: an IPv4 address, or an IPv6 network of 64 bits, since whoever has one address there has them all. */
export function sourceNetwork(address = ''): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
