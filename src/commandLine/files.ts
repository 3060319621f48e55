import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageFault } from './exits.ts'
import { lineOfFault } from './jsonLines.ts'

/** A body as it was read: its text is what is sent. */
export interface JsonFile {
  readonly text: string
  readonly value: unknown
}

/** Reads a file, or standard input for `-`. */
export async function readBytes(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  try {
    return await readFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageFault(`There is no file ${file}.`)
    if (code === 'EISDIR') throw new UsageFault(`${file} is a folder; name a file.`)
    throw new UsageFault(`${file} cannot be read (${code ?? 'unknown reason'}).`)
  }
}

export async function readJsonFile(file: string): Promise<JsonFile> {
  const bytes = await readBytes(file)
  const name = file === '-' ? 'Standard input' : file
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageFault(`${name} is not a JSON file: it is not UTF-8.`)
  }
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    const { message } = error as SyntaxError
    if (text.trim() === '') throw new UsageFault(`${name} is empty.`)
    const line = lineOfFault(text)
    throw new UsageFault(`${name} is not JSON: ${line === undefined ? '' : `line ${line}: `}${message}.`)
  }
}
