import { text } from 'node:stream/consumers'
import type { ObjectStorage } from '../../../src/adapters/files/objectStorage/storage.ts'

/** Returns the text of an object; undefined if it does not exist. */
export async function objectText(objects: ObjectStorage, name: string): Promise<string | undefined> {
  const stream = await objects.get(name)
  return stream && text(stream)
}

/** Returns the names that `list` yields, in its order. */
export async function listedNames(objects: ObjectStorage, prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of objects.list(prefix)) names.push(name)
  return names
}

/** Yields texts as the chunks that `put` takes. */
export async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const one of texts) yield Buffer.from(one)
}
