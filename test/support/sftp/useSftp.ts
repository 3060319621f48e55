import { beforeAll } from '@jest/globals'
import { listedNames, objectText } from '../files/objects.ts'
import { type TemporaryFolder, temporaryFolder } from '../files/temporaryFolder.ts'
import type { TestApp } from '../http/app.ts'
import { useApp } from '../useApp.ts'
import type { Used } from '../useMarket.ts'
import { type Endpoint, type Identity, writeAskPass } from './openSsh.ts'
import { type SftpProcess, startSftpProcess } from './sftpProcess.ts'

/** An SFTP server on the database of an app, and a folder for its clients. */
export interface UsedSftp extends Endpoint {
  readonly app: TestApp & Used
  server: SftpProcess
  /** Starts the server again, on another port. */
  restart(env?: NodeJS.ProcessEnv): Promise<void>
  /** Returns the password of a seller of the app. */
  password(seller: 'cable' | 'station'): Identity
  /** Returns the names and texts of a seller's files in the store. */
  landed(seller: string): Promise<Record<string, string>>
}

export function useSftp(env: NodeJS.ProcessEnv = {}): UsedSftp {
  const app = useApp()
  let home: TemporaryFolder
  const used = {
    app,
    get port() {
      return used.server.port
    },
    get home() {
      return home.path
    },
    password: (seller: 'cable' | 'station') => ({ password: app.tokens.sellers[seller] }),
    async restart(other: NodeJS.ProcessEnv = {}) {
      await used.server.stop('SIGKILL')
      used.server = await startSftpProcess(app, { ...env, ...other })
    },
    async landed(seller: string) {
      const files: Record<string, string> = {}
      for (const name of await listedNames(app.deps.drops, `${seller}/`))
        files[name.slice(seller.length + 1)] = (await objectText(app.deps.drops, name)) ?? ''
      return files
    },
  } as UsedSftp
  beforeAll(async () => {
    home = await temporaryFolder()
    await writeAskPass(home.path)
    used.server = await startSftpProcess(app, env)
  })
  app.beforeStop(async () => {
    await used.server.stop('SIGKILL')
    await home.remove()
  })
  return used
}
