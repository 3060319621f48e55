import type { Session, SFTPWrapper } from 'ssh2'

const ELSEWHERE = 'This server takes files by SFTP only and runs no command: use sftp, or scp without -O.'

/** Serves the SFTP subsystem on a session. Whatever else a client asks for ends with a sentence, which clients print, and exit status 1. */
export function serveSession(session: Session, serve: (sftp: SFTPWrapper) => void): void {
  session.once('sftp', (accept) => serve(accept()))
  for (const request of ['exec', 'shell'] as const) {
    session.once(request as 'shell', (accept) => {
      const stream = accept()
      stream.on('error', () => undefined)
      stream.stderr.write(`${ELSEWHERE}\n`)
      stream.exit(1)
      stream.end()
    })
  }
}
