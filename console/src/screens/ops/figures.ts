import type { OpsHealth } from '../../api/queries/ops.ts'

/** How a figure is colored: everything is fine, somebody should look, or something is broken. */
export type Tone = 'good' | 'warn' | 'bad'

export interface Figure {
  readonly label: string
  readonly value: string
  readonly about: string
  readonly tone: Tone
}

/** Returns the figures that an operator checks first, with the thresholds of "Watch these first" in docs/operate/observing.md. */
export function figuresOf({
  orders,
  outbox,
  feed,
  backlog,
  webhook_endpoints,
  mail_faults,
  open_drops,
  workers,
  temporal,
}: OpsHealth): Figure[] {
  const stuck = orders.stuck.reduce((sum, one) => sum + one.orders, 0)
  const alive = workers.filter((one) => one.alive).length
  return [
    { label: 'Stuck', value: String(stuck), about: 'orders', tone: stuck > 0 ? 'bad' : 'good' },
    { label: 'Overdue', value: String(orders.overdue), about: 'decisions', tone: orders.overdue > 0 ? 'warn' : 'good' },
    { label: 'Outbox', value: ageText(outbox.oldest_s), about: `of ${outbox.rows}`, tone: toneOf(outbox.oldest_s, 10, 60) },
    { label: 'Feed', value: ageText(feed.age_s), about: 'behind', tone: toneOf(feed.age_s, 10, 60) },
    { label: 'Webhooks', value: ageText(backlog.webhook_s), about: 'oldest', tone: toneOf(backlog.webhook_s, 60, 3_600) },
    {
      label: 'Endpoints',
      value: String(webhook_endpoints.failing),
      about: `failing, ${webhook_endpoints.disabled} off`,
      tone: webhook_endpoints.failing > 0 ? 'warn' : 'good',
    },
    { label: 'Order mail', value: ageText(backlog.mail_s), about: 'oldest', tone: toneOf(backlog.mail_s, 300, 3_600) },
    {
      label: 'Mail faults',
      value: String(mail_faults.length),
      about: mail_faults[0] === undefined ? 'in 7 days' : `${mail_faults[0].order_id}: ${reasonText(mail_faults[0].status_reason)}`,
      tone: mail_faults.length > 0 ? 'bad' : 'good',
    },
    { label: 'Queues', value: ageText(backlog.queue_s), about: 'failing', tone: toneOf(backlog.queue_s, 1, 600) },
    { label: 'Drops', value: String(open_drops), about: 'in progress', tone: 'good' },
    { label: 'Workers', value: String(alive), about: 'alive', tone: alive === 0 ? 'bad' : 'good' },
    temporalFigure(temporal, alive),
  ]
}

/** What is known of Temporal is what workers report: without one that is alive, nothing is known. */
function temporalFigure(temporal: OpsHealth['temporal'], alive: number): Figure {
  const paused = temporal.schedules.filter((one) => one.paused).length
  if (alive === 0) return { label: 'Temporal', value: 'unknown', about: 'no worker reports', tone: 'warn' }
  if (!temporal.reachable) return { label: 'Temporal', value: 'away', about: 'not reached', tone: 'bad' }
  return {
    label: 'Temporal',
    value: 'reached',
    about: paused > 0 ? `${paused} paused` : 'schedules on',
    tone: paused > 0 ? 'warn' : 'good',
  }
}

function toneOf(seconds: number, warn: number, bad: number): Tone {
  if (seconds >= bad) return 'bad'
  return seconds >= warn ? 'warn' : 'good'
}

/** `0 s`, `42 s`, `7 min`, `3 h`, `2 d`. */
export function ageText(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** What people say for the words of reasons that are those of the machine. */
const PLAIN: Readonly<Record<string, string>> = {
  unreachable: 'no answer',
  unusable_answer: 'answer cannot be used',
  no_progress: 'does not get on',
  permits_taken: 'waits for its turn',
}

/** Writes a reason for people: `no answer (connect)`. */
export function reasonText(reason: string): string {
  const [kind = '', ...detail] = reason.split(':')
  const about = detail.join(':').replaceAll('_', ' ')
  return `${PLAIN[kind] ?? kind.replaceAll('_', ' ')}${about === '' ? '' : ` (${about})`}`
}
