import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { Refusal } from '../domain/refusal.ts'
import { strictJson } from '../domain/strictJson.ts'
import { catalogOf, checkPublish, MEMBERS } from '../operations/publishing/checkPublish.ts'

/**
 * `npm run -s publish:check -- <file>`: says without a server how the server would answer a publish. Only the answer goes to standard
 * output; exit code 1 when anything is rejected, 2 when the file cannot be checked at all.
 */
const program = new Command('publish:check')
  .description('Check a body of PUT /me/catalog, /me/rate-cards or /me/avails against the rules of the server, without one.')
  .argument('<file>', 'the body as JSON; its members tell what it is')
  .option('--catalog <file>', 'the catalog that rates and avails are checked against: a body of PUT, or a reply of GET /me/catalog')
  .action(run)

/** A file that cannot be checked; the message is one sentence. */
class FileFault extends Error {}

async function run(file: string, { catalog: catalogFile }: { catalog?: string }): Promise<void> {
  const bytes = await read(file)
  const catalog = catalogFile === undefined ? undefined : await readCatalog(catalogFile)
  const checked = await checkPublish(bytes, catalog)
  if (checked === undefined)
    throw new FileFault(`${file} is not a publish: it must contain exactly one of ${Object.values(MEMBERS).join(', ')}.`)
  for (const note of checked.notes) say(note)
  process.stdout.write(`${JSON.stringify(checked.answer, null, 2)}\n`)
  if (checked.rejects) process.exitCode = 1
}

async function readCatalog(file: string): Promise<Awaited<ReturnType<typeof catalogOf>>['products']> {
  try {
    const body = strictJson(await read(file)) as { products?: unknown } | null
    if (!Array.isArray(body?.products)) throw new FileFault(`${file} is not a catalog: it must contain products[].`)
    const { products, leftOut } = await catalogOf(body.products)
    if (leftOut > 0) say(`${leftOut} products of ${file} are refused themselves, and count as unknown.`)
    return products
  } catch (error) {
    if (error instanceof Refusal) throw new FileFault(`${file} cannot be used as a catalog. ${error.message}`)
    throw error
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new FileFault(`There is no file ${file}.`)
    if (code === 'EISDIR') throw new FileFault(`${file} is a folder; name a file.`)
    throw new FileFault(`${file} cannot be read (${code ?? 'unknown reason'}).`)
  }
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

program.parseAsync().catch((error: Error) => {
  say(error instanceof FileFault ? error.message : (error.stack ?? error.message))
  process.exit(2)
})
