import { openAsBlob } from 'node:fs'
import { MarketplaceError } from '../../../client/src/index.ts'
import type { Operations } from '../ownClient.ts'
import type { DropTransport } from './sendDrop.ts'

/** Sends a drop over the HTTP API. Files are streamed from the disk. */
export function apiTransport(client: Pick<Operations, 'putDropFile' | 'registerDrop' | 'getDrop'>): DropTransport {
  return {
    async put(dropId, filename, path) {
      const body = await openAsBlob(path)
      await client.putDropFile({ path: { drop_id: dropId, filename }, body, contentType: 'application/octet-stream' })
    },
    register: async (manifest) => void (await client.registerDrop({ body: manifest })),
    async result(dropId) {
      try {
        return (await client.getDrop({ path: { drop_id: dropId } })).body
      } catch (error) {
        if (error instanceof MarketplaceError && error.status === 404) return undefined
        throw error
      }
    },
    close: async () => undefined,
  }
}
