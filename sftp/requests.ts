import type { Logger } from 'pino'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { isFull, isStorageFault } from '../src/adapters/files/objectStorage/storageFault.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { attributes, fileEntry } from './entryForm.ts'
import { missing, SftpFault, unsupported } from './fault.ts'
import { placeOf } from './place.ts'
import type { ChannelQueue } from './requestQueue.ts'
import type { SellerFiles } from './sellerFiles.ts'

const { STATUS_CODE } = ssh2.utils.sftp

/** What a channel works on, and what it reports. */
export interface Served {
  readonly files: SellerFiles
  readonly queue: ChannelQueue
  readonly seller: string
  readonly log: Logger
  /** Called for a request that cannot be read. */
  readonly onMalformed: (what: string) => void
}

/** Answers the requests of an SFTP channel from a seller's files, one at a time and in order. */
export function answerRequests(sftp: SFTPWrapper, { files, queue, seller, log, onMalformed }: Served): void {
  // The library checks only the last member of a request: one whose path is longer than the request arrives without a path.
  const hasPaths = (request: string, ...paths: (string | undefined)[]) => {
    if (paths.every((path) => path !== undefined)) return true
    onMalformed(`Malformed ${request} packet`)
    return false
  }
  /** Queues a request. `answer` resolves with a function that sends the response; a fault is sent as a status. */
  const take = (id: number, answer: () => Promise<() => void>, bytes = 0) =>
    queue.add(bytes, async () => {
      try {
        const send = await answer()
        send()
      } catch (error) {
        const { code, message } = faultOf(error, log)
        sftp.status(id, code, message)
      }
    })
  const ok = (id: number) => () => sftp.status(id, STATUS_CODE.OK)
  const end = (id: number) => () => sftp.status(id, STATUS_CODE.EOF)
  const done = (id: number, work: () => Promise<unknown>, bytes?: number) => take(id, () => work().then(() => ok(id)), bytes)
  const refused = (id: number, message: string) => take(id, () => Promise.reject(unsupported(message)))

  sftp.on('REALPATH', (id, path) =>
    take(id, async () => {
      const resolved = placeOf(path).path
      const attrs = attributes({ isFolder: true, size: 0, modifiedAt: 0 })
      return () => sftp.name(id, [{ filename: resolved, longname: resolved, attrs }])
    }),
  )
  const stat = (id: number, path: string) =>
    take(id, async () => {
      const attrs = attributes(await files.stat(path))
      return () => sftp.attrs(id, attrs)
    })
  sftp.on('STAT', stat).on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) =>
    take(id, async () => {
      const attrs = attributes(files.statOpen(handle))
      return () => sftp.attrs(id, attrs)
    }),
  )
  // Modes and owners are ignored, since the store has none. Refusing them would make clients report a failed upload.
  sftp.on('SETSTAT', (id, path, attrs) => {
    if (!hasPaths('SETSTAT', path)) return
    done(id, async () => {
      const { size, mtime } = attrs as Partial<typeof attrs>
      if (size !== undefined) throw unsupported('A file is replaced as a whole: send it again.')
      if (mtime !== undefined) await files.setTime(path, mtime * 1_000)
    })
  })
  sftp.on('FSETSTAT', (id, handle, attrs) =>
    done(id, async () => {
      const { size, mtime } = attrs as Partial<typeof attrs>
      if (size !== undefined) await files.truncate(handle, size)
      if (mtime !== undefined) files.setTimeOpen(handle, mtime * 1_000)
    }),
  )
  sftp.on('OPENDIR', (id, path) =>
    take(id, async () => {
      const handle = await files.openFolder(path)
      return () => sftp.handle(id, handle)
    }),
  )
  sftp.on('READDIR', (id, handle) =>
    take(id, async () => {
      const entries = await files.nextEntries(handle)
      if (entries.length === 0) return end(id)
      return () => {
        sftp.name(
          id,
          entries.map((entry) => fileEntry(entry, seller)),
        )
      }
    }),
  )
  sftp.on('OPEN', (id, path, flags) => {
    if (!hasPaths('OPEN', path)) return
    take(id, async () => {
      const handle = await files.openFile(path, flags)
      return () => sftp.handle(id, handle)
    })
  })
  sftp.on('READ', (id, handle, offset, length) =>
    take(id, async () => {
      const bytes = await files.read(handle, offset, length)
      return bytes.length === 0 ? end(id) : () => sftp.data(id, bytes)
    }),
  )
  sftp.on('WRITE', (id, handle, offset, data) => done(id, () => files.write(handle, offset, data), data.length))
  sftp.on('CLOSE', (id, handle) => done(id, () => files.close(handle)))
  sftp.on('MKDIR', (id, path) => hasPaths('MKDIR', path) && done(id, () => files.makeFolder(path)))
  sftp.on('RMDIR', (id, path) => done(id, () => files.removeFolder(path)))
  sftp.on('REMOVE', (id, path) => done(id, () => files.removeFile(path)))
  sftp.on('RENAME', (id, from, to) => hasPaths('RENAME', from, to) && done(id, () => files.rename(from, to)))
  sftp.on('READLINK', (id, path) => take(id, () => Promise.reject(missing(`A link ${placeOf(path).path}`))))
  sftp.on('SYMLINK', (id) => refused(id, 'There are no links here.'))
  sftp.on('EXTENDED', (id) => refused(id, 'There are no extensions here.'))
}

function faultOf(error: unknown, log: Logger): SftpFault {
  if (error instanceof SftpFault) return error
  if (error instanceof Refusal) return new SftpFault(STATUS_CODE.FAILURE, error.message)
  if (isFull(error)) {
    log.error({ err: error }, 'a disk is full: a file of a seller was refused')
    return new SftpFault(STATUS_CODE.FAILURE, 'The server has no room left: try again later.')
  }
  if (isStorageFault(error)) {
    log.warn({ err: error }, 'the file store failed')
    return new SftpFault(STATUS_CODE.FAILURE, 'The server cannot reach its file store: try again later.')
  }
  log.error({ err: error }, 'an SFTP request failed')
  return new SftpFault(STATUS_CODE.FAILURE, 'The server failed: try again later.')
}
