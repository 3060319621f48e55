import ssh2, { type Connection, type ParsedKey, type SFTPWrapper } from 'ssh2'

/** Internals of the library that its interface lacks. All uses are in this file, to be checked when the library's version changes. */
interface Internals {
  readonly _protocol: { exitStatus(channel: number, status: number): void; disconnect(reason: number): void }
}
interface SftpInternals {
  readonly outgoing: { readonly id: number; readonly window: number }
  readonly _buffer: readonly Buffer[]
}

/**
 * Ends a channel after the client has sent everything. Without an exit status `scp` reports a failure, and `sftp` waits forever for the
 * channel to close.
 */
export function endChannel(client: Connection, sftp: SFTPWrapper): void {
  const { outgoing } = sftp as unknown as SftpInternals
  ;(client as unknown as Internals)._protocol.exitStatus(outgoing.id, 0)
  sftp.end()
}

/** Whether responses wait until the client opens its window. */
export function isWaitingForWindow(sftp: SFTPWrapper): boolean {
  return (sftp as unknown as SftpInternals)._buffer.length > 0
}

/**
 * Returns a host key in the form that the library takes. It offers an RSA key for signatures with SHA-1 too, whatever the settings say; so an
 * RSA key is given under the names of the two other algorithms, as if it were of these types.
 */
export function offeredKeys(privateKey: string): { key: string }[] {
  const key = ssh2.utils.parseKey(privateKey)
  if (key instanceof Error || (key.type as string) !== 'ssh-rsa') return [{ key: privateKey }]
  return ['rsa-sha2-512', 'rsa-sha2-256'].map((type) => {
    const named: ParsedKey = Object.create(key, { type: { value: type } })
    return { key: named as unknown as string }
  })
}

/** Whether an error of a connection comes from its socket, and not from what its client has sent. */
export function isSocketError(error: Error): boolean {
  return (error as Error & { readonly level?: string }).level === 'socket'
}

/** Reason codes of RFC 4253, section 11.1. */
export const DISCONNECT = { serviceNotAvailable: 7, tooManyConnections: 12, noMoreMethods: 14 } as const

/** Ends a connection with a reason that clients print. */
export function disconnect(client: Connection, reason: number): void {
  ;(client as unknown as Internals)._protocol.disconnect(reason)
  client.end()
}
