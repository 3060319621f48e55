/**
 * Normalizes a URL: the scheme in lower case, the host as ASCII (`https://Bücher.example` becomes `https://xn--bcher-kva.example`). The rest, and
 * text that is not a URL, stays as sent.
 */
export function plainTargetUrl(url: string): string {
  const [, authority = '', rest = ''] = /^(https?:\/\/[^/?#\\@\s]+)([/?#].*)?$/is.exec(url) ?? []
  if (/^[!-@[-~]*$/.test(authority) || !URL.canParse(authority)) return url
  const { protocol, hostname } = new URL(authority)
  const [port = ''] = /:\d*$/.exec(authority) ?? []
  return `${protocol}//${hostname}${port}${rest}`
}

/**
 * Returns what is wrong with a URL that the platform is to call (a webhook, a seller's own API), as a predicate; undefined if it is valid
 * (architecture, Outbound calls). The resolved address is checked again when the socket connects. `allowLoopback` permits http and https to
 * this machine on any port, for the sandbox.
 */
export function targetUrlFault(sent: string, allowLoopback: boolean): string | undefined {
  const url = plainTargetUrl(sent)
  if (Math.max(url.length, sent.length) > LONGEST) return `must not be longer than ${LONGEST} characters`
  // URL parsers drop tabs and line ends and turn \ into /. URLs are stored, compared and shown as sent, so only the plain form is accepted.
  if (!/^https?:\/\/[^/?#\\]/.test(url) || /[\0- \\\x7f]/.test(url) || !URL.canParse(url)) return 'must be an https URL'
  const { protocol, hostname, port } = new URL(url)
  if (/^https?:\/\/[^/?]*@/.test(url)) return 'must not contain a user or a password'
  if (!/^[!-~]+$/.test(url)) return 'must percent-encode every character outside of ASCII after the host'
  if (url.includes('#')) return 'must not have a fragment'
  if (isLoopbackHost(hostname)) return allowLoopback ? undefined : 'must not lead to this machine'
  if (protocol !== 'https:') return 'must be an https URL'
  if (isAddress(hostname)) return 'must name a host, not an address'
  if (!/^[^.].*\.[^.]+$/.test(hostname)) return 'must name a host by its full name, with a dot in it'
  if (port !== '' && port !== '8443') return 'must use port 443 or 8443'
  return undefined
}

/** Applies the same rule to the base URL of a seller's own API, to which paths are appended. */
export function baseUrlFault(url: string, allowLoopback: boolean): string | undefined {
  return targetUrlFault(url, allowLoopback) ?? (url.includes('?') ? 'must not have a query' : undefined)
}

const LONGEST = 2_048

/** Returns true for names and addresses of this machine, in the form that a URL parser returns. */
function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]'
}

/** Returns true for an IP address. A URL parser normalizes every spelling to four numbers or brackets. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}
