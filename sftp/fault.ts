import ssh2 from 'ssh2'

const { STATUS_CODE } = ssh2.utils.sftp

/** A refused SFTP request: one of the protocol's status codes, and a sentence that clients may show. */
export class SftpFault extends Error {
  override name = 'SftpFault'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const missing = (what: string) => new SftpFault(STATUS_CODE.NO_SUCH_FILE, `${what} does not exist.`)
export const denied = (message: string) => new SftpFault(STATUS_CODE.PERMISSION_DENIED, message)
export const failed = (message: string) => new SftpFault(STATUS_CODE.FAILURE, message)
export const unsupported = (message: string) => new SftpFault(STATUS_CODE.OP_UNSUPPORTED, message)
