import { verifyWebhook, WebhookFault } from '../../../client/src/index.ts'
import { RefusedFault, UsageFault } from '../exits.ts'
import { readBytes } from '../files.ts'
import { writeJson, writeTable } from '../output.ts'
import type { Session } from '../session.ts'

interface Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

interface Step {
  readonly step: string
  readonly verdict: 'ok' | 'failed' | 'not reached'
  readonly said: string
}

/** Says of each step of the verification whether it holds. Fails with RefusedFault if one does not. */
export async function verify(session: Session, { secret, at }: VerifyOptions, file: string): Promise<void> {
  const now = at === undefined ? new Date() : new Date(at)
  if (Number.isNaN(now.getTime())) throw new UsageFault(`${JSON.stringify(at)} is not a time, such as 2027-02-01T09:30:00Z.`)
  const request = requestIn(file, await readBytes(file))
  const steps = await stepsOf(request, secret, now)
  if (session.json) await writeJson({ steps })
  else
    await writeTable(
      [
        { head: 'step', of: ({ step }) => step },
        { head: 'verdict', of: ({ verdict }) => verdict },
        { head: '', of: ({ said }) => said },
      ],
      steps,
    )
  const failed = steps.filter(({ verdict }) => verdict === 'failed')
  if (failed.length > 0) throw new RefusedFault(`A receiver must answer 400: ${failed.map(({ step }) => step).join(' and ')} failed.`)
}

const STEPS = ['header', 'timestamp', 'age', 'secret', 'signature', 'body'] as const
type StepName = (typeof STEPS)[number]

async function stepsOf(request: Request, secret: string, now: Date): Promise<Step[]> {
  const found = new Map<StepName, Step>()
  const holds = (step: StepName, fault: string | undefined, said: string): boolean => {
    found.set(step, { step, verdict: fault === undefined ? 'ok' : 'failed', said: fault ?? said })
    return fault === undefined
  }
  const header = request.headers['x-signature']
  const timestamp = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header ?? '')?.[1]
  if (
    holds('header', header === undefined ? 'there is no X-Signature' : undefined, header ?? '') &&
    holds('timestamp', timestamp === undefined ? 'X-Signature has no t=<unix seconds>' : undefined, `t=${timestamp}`)
  ) {
    const signed = new Date(Number(timestamp) * 1_000)
    const age = Math.round((now.getTime() - signed.getTime()) / 1_000)
    const said = `${Math.abs(age)} s ${age < 0 ? 'ahead' : 'old'}, signed at ${signed.toISOString()}`
    const isAway = (await faultOf(request, secret, now))?.includes('too far') === true
    holds('age', isAway ? `${said}: 300 s are allowed` : undefined, said)
    // Checked as of the moment of the signature, so that an old request still says whether its secret was right.
    if (holds('secret', secretFault(secret), 'whsec_ and base64')) {
      const fault = await faultOf(request, secret, signed)
      holds('signature', fault && (await hint(request, secret, signed, fault)), `over ${request.body.length} bytes`)
    }
    holds('body', bodyFault(request), 'JSON')
  }
  return STEPS.map((step) => found.get(step) ?? { step, verdict: 'not reached', said: '' })
}

function secretFault(secret: string): string | undefined {
  return /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)
    ? undefined
    : 'it is not whsec_ and base64: is it that of another service, or cut off?'
}

function bodyFault({ body }: Request): string | undefined {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return undefined
  } catch {
    return 'it is not JSON'
  }
}

async function faultOf({ headers, body }: Request, secret: string, now: Date): Promise<string | undefined> {
  try {
    await verifyWebhook({ headers, body }, secret, now)
    return undefined
  } catch (error) {
    if (error instanceof WebhookFault) return error.message
    return undefined // of the secret or of the body, which have steps of their own
  }
}

/** The body is the usual culprit: a framework parsed and wrote it again, or an editor ended it with a line break. */
async function hint(request: Request, secret: string, now: Date, fault: string): Promise<string> {
  const text = new TextDecoder().decode(request.body)
  const variants: [string, () => string][] = [
    ['the body without its last line break is signed: keep the bytes as they come', () => text.replace(/\r?\n$/, '')],
    ['the body with a last line break is signed: keep the bytes as they come', () => `${text}\n`],
    [
      'the body written again without spaces is signed: verify the raw bytes, before anything parses them',
      () => JSON.stringify(JSON.parse(text)),
    ],
  ]
  for (const [said, make] of variants) {
    try {
      const body = new TextEncoder().encode(make())
      if ((await faultOf({ ...request, body }, secret, now)) === undefined) return said
    } catch {
      // A body that is no JSON has no such variant.
    }
  }
  return `${fault} Another secret, or another body.`
}

/** Reads `{"headers": {…}, "body": "…"}`, or a request as it came: header lines, an empty line, and the bytes of the body. */
function requestIn(file: string, bytes: Buffer): Request {
  const kept = jsonRequest(bytes)
  if (kept !== undefined) return kept
  const end = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at !== -1).sort((a, b) => a - b)[0]
  const shape = `${file} must be {"headers": {…}, "body": "…"}, or the request as it came: headers, an empty line, the body.`
  if (end === undefined) throw new UsageFault(shape)
  const lines = bytes.subarray(0, end).toString('latin1').split(/\r?\n/)
  const named = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 1 || line.slice(0, colon).includes(' ') ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]]
  })
  if (named.length === 0) throw new UsageFault(shape)
  return { headers: Object.fromEntries(named), body: bytes.subarray(end + (bytes[end] === 13 ? 4 : 2)) }
}

function jsonRequest(bytes: Buffer): Request | undefined {
  try {
    const { headers, body } = JSON.parse(bytes.toString()) as { headers?: Record<string, unknown>; body?: unknown }
    if (typeof headers !== 'object' || body === undefined) return undefined
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
    return { headers: Object.fromEntries(lower), body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)) }
  } catch {
    return undefined
  }
}

export interface VerifyOptions {
  readonly secret: string
  readonly at?: string
}
