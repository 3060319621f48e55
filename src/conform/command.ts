import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { createOutboundClient } from '../adapters/http/outboundCall.ts'
import { baseUrlFault } from '../domain/targets/targetUrl.ts'
import { signingSecret } from '../operations/pull/callSeller.ts'
import { buyerSuite } from './buyer/stories.ts'
import { openBuyerWorld } from './buyer/world.ts'
import { pullSuite } from './pull/stories.ts'
import { badgeSvg, earned } from './report/badge.ts'
import { junitOf } from './report/junit.ts'
import { linesOf, summaryOf } from './report/table.ts'
import { isDone, type Report, runSuite, type Suite } from './runSuite.ts'
import { sellerSuite } from './seller/stories.ts'
import { openSellerWorld } from './seller/world.ts'
import { Unreachable } from './story.ts'
import { openTarget, refuseSandboxInProduction, type Target, UsageFault } from './target.ts'
import { webhookSuite } from './webhook.ts'

/** The marketplace and the token that are used where no option names them, as a profile has them. */
export interface ConformAccess {
  readonly url?: string | undefined
  readonly token?: string | undefined
}

interface Common {
  readonly only?: string[]
  readonly knownFailing?: string[]
  readonly json?: boolean
  readonly out?: string
}
interface OfTenant extends Common {
  readonly url?: string
  readonly token?: string
  readonly productionUrl?: string
  readonly patience: number
}

/**
 * The command `conform`: suites that say whether an integration is done. `access` is asked for the marketplace and token once a suite needs them.
 * Sets the exit code: 0 done, 1 not done, 2 used wrongly, 3 nothing answers.
 */
export function conformCommand(access: () => ConformAccess | Promise<ConformAccess> = fromEnvironment): Command {
  const conform = new Command('conform').description('Hold an integration to the contract, and say whether it is done.')
  conform.addCommand(sellerCommand(access)).addCommand(buyerCommand(access))
  conform.addCommand(webhookCommand()).addCommand(pullCommand())
  return conform
}

function fromEnvironment(): ConformAccess {
  return { url: process.env.MARKETPLACE_URL, token: process.env.MARKETPLACE_TOKEN }
}

type Access = Parameters<typeof conformCommand>[0] & (() => unknown)

function sellerCommand(access: Access): Command {
  return ofTenant(new Command('seller'))
    .description(
      'By the levels 0 to 4 that its profile declares: the buyer of the sandbox orders, and the seller answers as it always does.',
    )
    .option('--counters <product_id>', 'a product of which the seller counters every order')
    .action((options: OfTenant & { counters?: string }) =>
      ending(options, async (run) => {
        const world = await openSellerWorld((await tenantOf('seller', options, access)).target, {
          patienceMs: options.patience * 1_000,
          counters: options.counters,
        })
        const report = await run(sellerSuite(world))
        const badge = earned(report.stories, world.profile.conformance_level, report.ended_at.slice(0, 10))
        return options.only === undefined ? { ...report, badge } : report
      }),
    )
}

function buyerCommand(access: Access): Command {
  return ofTenant(new Command('buyer'))
    .description('Its program carries out a brief for each story, and is judged by the log of its order as the seller reads it.')
    .option('--run <command>', 'the program: gets a brief as JSON on standard input, MARKETPLACE_URL and MARKETPLACE_TOKEN')
    .action((options: OfTenant & { run?: string }) =>
      ending(options, async (run) => {
        const { target, token } = await tenantOf('buyer', options, access)
        const show = (text: string) => void process.stderr.write(text)
        const world = await openBuyerWorld(target, { token, run: options.run, patienceMs: options.patience * 1_000, show })
        return run(buyerSuite(world)).finally(() => world.close())
      }),
    )
}

function webhookCommand(): Command {
  return common(new Command('webhook'))
    .description('Whether a receiver acknowledges what the marketplace sends, and refuses what somebody else might.')
    .argument('<url>', 'where deliveries go')
    .requiredOption('--secret <secret>', 'the secret of its endpoint, whsec_…', process.env.SECRET)
    .action((url: string, options: Common & { secret: string }) =>
      ending(options, async (run) => {
        if (!URL.canParse(url)) throw new UsageFault(`${url} is no URL.`)
        return run(webhookSuite({ url, secret: options.secret }))
      }),
    )
}

function pullCommand(): Command {
  return common(new Command('pull'))
    .description(
      "Whether a seller's own API answers as the platform needs it. Run it where decisions book nothing: the orders are made up.",
    )
    .argument('<url>', 'its base URL')
    .requiredOption('--secret <secret>', 'the value sent to PUT /v1/me/secrets/{name}', process.env.SECRET)
    .action((url: string, options: Common & { secret: string }) =>
      ending(options, async (run) => {
        const fault = baseUrlFault(url, true)
        if (fault !== undefined) throw new UsageFault(`${url} ${fault}.`)
        const outbound = createOutboundClient({ allowLoopback: true })
        return run(pullSuite({ outbound, base_url: url, secret: signingSecret(options.secret) })).finally(() => outbound.close())
      }),
    )
}

function common(command: Command): Command {
  return command
    .option('--only <ids>', 'stories by id or by the beginning of it, separated by commas', listed)
    .option('--known-failing <ids>', 'stories that are known to fail, and do not fail the run', listed)
    .option('--json', 'the report as JSON instead of a table')
    .option('--out <folder>', 'also write the report there as JSON and JUnit')
}

function ofTenant(command: Command): Command {
  return common(command)
    .option('--url <url>', 'the sandbox; MARKETPLACE_URL if omitted')
    .option('--token <token>', 'its token; MARKETPLACE_TOKEN if omitted')
    .option('--production-url <url>', 'fails hard if this marketplace, where orders are real, answers as a sandbox')
    .option('--patience <seconds>', 'how long a step of the other side may take', seconds, 120)
}

function listed(text: string): string[] {
  return text.split(',').map((id) => id.trim())
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}

async function tenantOf(side: Target['side'], options: OfTenant, access: Access): Promise<{ target: Target; token: string }> {
  const profile = (await access()) as ConformAccess
  const [url, token] = [options.url ?? profile.url, options.token ?? profile.token]
  if (url === undefined || token === undefined) throw new UsageFault('Name the sandbox and a token: --url and --token.')
  if (!URL.canParse(url)) throw new UsageFault(`${url} is no URL.`)
  if (options.productionUrl !== undefined) await refuseSandboxInProduction(options.productionUrl)
  return { target: await openTarget(url, token, side), token }
}

type Run = <World>(suite: Suite<World>) => Promise<Report>

/** Runs a suite, tells of it, and sets the exit code. */
async function ending(options: Common, work: (run: Run) => Promise<Report>): Promise<void> {
  const { only, knownFailing, json, out } = options
  try {
    const report = await work(async (suite) => {
      const unknown = [...(only ?? []), ...(knownFailing ?? [])].find(
        (name) => !suite.stories.some(({ id }) => `${id}.`.startsWith(`${name}.`)),
      )
      if (unknown !== undefined) throw new UsageFault(`There is no story ${unknown}: ${suite.stories.map(({ id }) => id).join(', ')}.`)
      const onResult = json ? undefined : (result: Report['stories'][number]) => void process.stdout.write(linesOf(result))
      return runSuite(suite, { ...(only && { only }), ...(knownFailing && { knownFailing }), ...(onResult && { onResult }) })
    })
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : summaryOf(report))
    if (out !== undefined) await write(out, report)
    process.exitCode = isDone(report) ? 0 : 1
  } catch (error) {
    if (!(error instanceof UsageFault || error instanceof Unreachable)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error instanceof Unreachable ? 3 : 2
  }
}

async function write(folder: string, report: Report): Promise<void> {
  const name = join(folder, `conform-${report.suite}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
    await writeFile(`${name}.xml`, junitOf(report))
    if (report.badge !== undefined) await writeFile(`${name}.svg`, badgeSvg(report.badge))
  } catch (error) {
    throw new UsageFault(`The report cannot be written to ${folder}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
