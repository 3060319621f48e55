/**
 * A URL as the platform keeps it: the scheme in lower case, the host as ASCII (`https://Bücher.example` is `https://xn--bcher-kva.example`). The
 * rest stays as sent, and so does what is not a URL.
 */
export function plainTargetUrl(url: string): string {
  const [, authority = '', rest = ''] = /^(https?:\/\/[^/?#\\@\s]+)([/?#].*)?$/is.exec(url) ?? []
  if (/^[!-@[-~]*$/.test(authority) || !URL.canParse(authority)) return url
  const { protocol, hostname } = new URL(authority)
  const [port = ''] = /:\d*$/.exec(authority) ?? []
  return `${protocol}//${hostname}${port}${rest}`
}

/**
 * What is wrong with a URL that the platform is to call (a webhook, a seller's own API), as the end of a sentence; undefined when nothing is
 * (architecture, Outbound calls). Whom a name leads to is looked at again when the socket connects. `allowLoopback` lets in http and https
 * to this machine on any port, for the sandbox.
 */
export function targetUrlFault(sent: string, allowLoopback: boolean): string | undefined {
  const url = plainTargetUrl(sent)
  if (Math.max(url.length, sent.length) > LONGEST) return `must not be longer than ${LONGEST} characters`
  // URL parsers drop tabs and line ends and turn \ into /: what is kept is compared and shown, so only the plain form is taken.
  if (!/^https?:\/\/[^/?#\\]/.test(url) || /[\0- \\\x7f]/.test(url) || !URL.canParse(url)) return 'must be an https URL'
  const { protocol, hostname, port } = new URL(url)
  if (/^https?:\/\/[^/?]*@/.test(url)) return 'must not hold a user or a password'
  if (!/^[!-~]+$/.test(url)) return 'must have every character outside of ASCII percent-encoded after its host'
  if (url.includes('#')) return 'must not have a fragment'
  if (isLoopbackHost(hostname)) return allowLoopback ? undefined : 'must not lead to this machine'
  if (protocol !== 'https:') return 'must be an https URL'
  if (isAddress(hostname)) return 'must name a host, not an address'
  if (!/^[^.].*\.[^.]+$/.test(hostname)) return 'must name a host by its full name, with a dot in it'
  if (port !== '' && port !== '8443') return 'must use port 443 or 8443'
  return undefined
}

/** The same of the base URL of a seller's own API: paths are put behind it. */
export function baseUrlFault(url: string, allowLoopback: boolean): string | undefined {
  return targetUrlFault(url, allowLoopback) ?? (url.includes('?') ? 'must have no query' : undefined)
}

const LONGEST = 2_048

/** Names and addresses that always mean this machine, as a URL parser leaves them. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]'
}

/** A URL parser writes every way to spell an address in one way: four numbers, or brackets. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}
