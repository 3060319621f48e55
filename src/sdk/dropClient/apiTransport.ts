import { openAsBlob } from 'node:fs'
import { ApiError } from '../client/apiError.ts'
import type { Client } from '../client/client.ts'
import type { DropTransport } from './sendDrop.ts'

/** Sends a drop over the HTTP API. Files are streamed from the disk. */
export function apiTransport(client: Client): DropTransport {
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
        if (error instanceof ApiError && error.status === 404) return undefined
        throw error
      }
    },
    close: async () => undefined,
  }
}
