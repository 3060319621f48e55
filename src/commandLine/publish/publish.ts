import { type Client, MarketplaceError } from '../../../client/src/index.ts'
import { FileRefusal, RefusedFault } from '../exits.ts'
import { say, write, writeJson } from '../output.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { checkBody, type PublishAnswer } from './check.ts'
import { type PublishBody, type Published, type PublishOptions, readPublish } from './readPublish.ts'

/** A fault of a row, as compilers write it, so that editors find the place. */
interface Found {
  row: number
  code: string
  message: string
}

/** The most faults that are printed; with `--json` all are. */
const SHOWN = 50

/** Publishes a file, or checks it. Fails with RefusedFault if any row is rejected. */
export async function publish(session: Session, what: Published, options: PublishOptions): Promise<void> {
  const { bodies, refused, warnings } = await readPublish(what, options)
  const answers: unknown[] = []
  const errors: Found[] = refused.map(({ row, error_code: code, message }) => ({ row, code, message }))
  const warned: Found[] = warnings.map(({ row, code, message }) => ({ row, code, message }))
  let accepted = 0
  const all = bodies.reduce((sum, { entries }) => sum + entries, 0)
  let done = 0
  for (const body of bodies) {
    const text = `${options.check === true ? 'Checking' : 'Publishing'} ${done + body.entries} of ${all} entries`
    const answer = await during(text, () => answerTo(session, what, options, body))
    done += body.entries
    answers.push(answer)
    accepted += answer.accepted
    errors.push(...answer.errors.map(({ index, error_code: code, message }) => ({ row: body.rowOf(index), code, message })))
    warned.push(...answer.warnings.map(({ index, code, message }) => ({ row: body.rowOf(index), code, message })))
  }
  const rejected = refused.length + (answers as PublishAnswer[]).reduce((sum, answer) => sum + answer.rejected, 0)
  if (session.json) await writeJson({ accepted, rejected, errors, warnings: warned, answers })
  else {
    tell(options.file, '', errors)
    tell(options.file, 'warning: ', warned)
    await write(
      `${what}: ${accepted} accepted, ${rejected} rejected${options.check === true || options.dryRun === true ? '; nothing was published' : ''}\n`,
    )
  }
  if (rejected > 0) throw new RefusedFault(`${rejected} of ${accepted + rejected} entries ${rejected === 1 ? 'is' : 'are'} rejected.`)
}

function tell(file: string, kind: string, found: readonly Found[]): void {
  for (const { row, code, message } of found.slice(0, SHOWN)) say(`${file}:${row}: ${kind}${message} (${code})`)
  if (found.length > SHOWN) say(`and ${found.length - SHOWN} more; --json has all`)
}

/** The answer to one body. A refusal of the whole body fails with the rows that it is about. */
async function answerTo(session: Session, what: Published, options: PublishOptions, body: PublishBody): Promise<PublishAnswer> {
  if (options.check === true) return checkBody(what, options, body)
  try {
    return await sent(await session.client(), what, options.dryRun === true, body.text)
  } catch (error) {
    if (!(error instanceof MarketplaceError)) throw error
    const places = error.errors.flatMap(({ pointer, message }) =>
      pointer === undefined || pointer === '' ? [] : [`${options.file}:${body.rowOfPointer(pointer)}: ${message}`],
    )
    throw new FileRefusal(error, places)
  }
}

async function sent({ operations }: Client, what: Published, isDryRun: boolean, body: string): Promise<PublishAnswer> {
  const input = { body, ...(isDryRun && { query: { dry_run: 'true' as const } }) }
  if (what === 'catalog') return (await operations.publishCatalog(input)).body
  if (what === 'rate-cards') return (await operations.publishRateCard(input)).body
  return (await operations.publishAvails(input)).body
}
