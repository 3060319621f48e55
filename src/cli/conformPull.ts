import { parseArgs } from 'node:util'
import { createOutboundClient } from '../adapters/http/outboundCall.ts'
import { baseUrlFault } from '../domain/targets/targetUrl.ts'
import { signingSecret } from '../operations/pull/callSeller.ts'
import { conformPull, type Finding } from '../operations/pull/conform/conformPull.ts'

const USAGE = 'Usage: npm run conform:pull -- <base url> --secret <value sent to PUT /v1/me/secrets/{name}>, or set SECRET to that value'

/** `npm run conform:pull -- <base url> --secret <secret>`: prints a report. Exit code 1: the server fails a check; 2: nothing was checked. */
async function main(): Promise<number> {
  const { base_url, secret } = readArguments()
  const fault = base_url === undefined || secret === undefined ? USAGE : baseUrlFault(base_url, true)
  if (base_url === undefined || secret === undefined || fault !== undefined) {
    process.stderr.write(`${fault === USAGE ? USAGE : `${base_url} ${fault}.`}\n`)
    return 2
  }
  const outbound = createOutboundClient({ allowLoopback: true })
  const onFinding = (finding: Finding) => process.stdout.write(`${lineOf(finding)}\n`)
  const findings = await conformPull({ outbound, base_url, secret: signingSecret(secret), onFinding })
  await outbound.close()
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length
  process.stdout.write(
    failed === 0
      ? '\nThe server conforms to the contract.\n'
      : `\n${failed} of ${findings.length} checks failed. docs/pull-openapi.json has the contract.\n`,
  )
  return failed === 0 ? 0 : 1
}

function readArguments(): { base_url?: string | undefined; secret?: string | undefined } {
  try {
    const { values, positionals } = parseArgs({ options: { secret: { type: 'string' } }, allowPositionals: true })
    return { base_url: positionals[0], secret: values.secret ?? process.env.SECRET }
  } catch {
    return {}
  }
}

function lineOf({ check, verdict, said }: Finding): string {
  return `${verdict === 'fail' ? 'FAIL' : verdict === 'ok' ? 'ok  ' : 'skip'}  ${check.padEnd(38)} ${said}`
}

process.exitCode = await main()
