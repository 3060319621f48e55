import type { Readable } from 'node:stream'

/**
 * A store of files by name. A name is folders of `[A-Za-z0-9._-]{1,128}`, none of which begins with a dot, and a file (`isObjectName`); anything
 * else in the store is invisible. Writes are atomic: an object has all of its bytes or does not exist.
 */
export interface ObjectStorage {
  /** Writes or replaces the object. Rejects if `bytes` does, and then leaves nothing behind. */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Returns undefined if the object does not exist. A stream that ends without an error has delivered all bytes. */
  get(name: string): Promise<Readable | undefined>
  exists(name: string): Promise<boolean>
  /** Returns undefined if the object does not exist. */
  stat(name: string): Promise<StoredObject | undefined>
  /** Yields the objects below a prefix, which is empty or ends in a slash, ordered by the bytes of their names. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Removes the object and all objects below its name. Succeeds if there are none. */
  delete(name: string): Promise<void>
}

export interface StoredObject {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The time of the last write, in epoch milliseconds; a bucket counts whole seconds. */
  readonly modifiedAt: number
  /** Changes whenever the content of the object changes. */
  readonly tag: string
}

export interface OpenStorage extends ObjectStorage {
  /** Resolves if the store is usable. Errors: StorageFault. */
  check(): Promise<void>
  /** Returns what distinguishes this store from others: the id in a directory, or the place of a bucket. Errors: StorageFault. */
  identity(): Promise<string>
  close(): void
}
