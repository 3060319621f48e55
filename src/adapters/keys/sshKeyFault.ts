/** A text is not a public key that the SFTP server accepts. The message says why. */
export class SshKeyFault extends Error {
  override name = 'SshKeyFault'
}
