/** A text that is not a public key which the SFTP server takes. The message says why. */
export class SshKeyFault extends Error {
  override name = 'SshKeyFault'
}
