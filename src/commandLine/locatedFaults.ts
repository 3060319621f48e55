import { type Fault, MarketplaceError } from '../../client/src/index.ts'
import { FileRefusal } from './exits.ts'
import { jsonLines, lineOfPointer } from './jsonLines.ts'
import { warningText } from './warningText.ts'

/** Sends what a file holds. If it is refused, fails with FileRefusal, in which each fault stands under the line that it is about. */
export async function sentFrom<Reply>(file: string, text: string, send: () => Promise<Reply>): Promise<Reply> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof MarketplaceError && error.errors.some(({ pointer }) => pointer !== undefined))
      throw new FileRefusal(error, placesOf(file, text, error))
    throw error
  }
}

/** Shows the warnings too: a member that nothing knows, with the nearest one that is known, is often why another one is missing. */
function placesOf(file: string, text: string, { errors, details }: MarketplaceError): string[] {
  const lines = jsonLines(text)
  const sources = text.split('\n')
  const warnings = ((details.warnings ?? []) as Partial<Fault>[]).map((warning) => ({ ...warning, message: warningText(warning) }))
  const found = [...warnings, ...errors].map(({ pointer = '', message }) => ({ line: lineOfPointer(lines, pointer) ?? 1, message }))
  const byLine = new Map<number, string[]>()
  for (const { line, message } of found.sort((a, b) => a.line - b.line)) byLine.set(line, [...(byLine.get(line) ?? []), message])
  return [...byLine].flatMap(([line, messages]) => {
    const source = (sources[line - 1] ?? '').trimEnd().slice(0, MAX_SHOWN)
    const indent = ' '.repeat(source.length - source.trimStart().length)
    return [`${file}:${line}`, source, ...messages.map((message) => `${indent}^ ${message}`)]
  })
}

/** A body may be one long line. */
const MAX_SHOWN = 200
