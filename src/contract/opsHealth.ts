import { z } from 'zod'
import { Count } from './ops.ts'
import { Stamp } from './scalars.ts'
import { ORDER_STATUSES } from './vocabulary.ts'

const Seconds = z.number().nonnegative()

/** Open orders of one status and age. */
const OpenOrders = z.object({
  status: z.enum(ORDER_STATUSES),
  age: z
    .enum(['1h', '1d', '7d', 'older'])
    .meta({ description: 'The time since their creation: less than an hour, a day, seven days; or older.' }),
  orders: Count.meta({ description: 'The number of orders.' }),
})

const StuckOrders = z.object({ reason: z.string(), orders: Count.meta({ description: 'The number of orders.' }) })

const OpsWorker = z.object({
  worker_id: z.string().meta({ description: 'The id of the worker, which it takes at its start.' }),
  started_at: Stamp.meta({ description: 'The UTC time at which it started.' }),
  seen_at: Stamp.meta({ description: 'The UTC time at which it last said that it lives.' }),
  alive: z.boolean().meta({ description: 'Whether that was within 15 seconds.' }),
})

const OpsSchedule = z.object({
  schedule_id: z.string().meta({ description: 'The id of the schedule in Temporal.' }),
  paused: z.boolean().meta({ description: 'Whether it is paused.' }),
  last_at: Stamp.nullable().meta({ description: 'The UTC time at which it last started its run; null if it has not.' }),
  next_at: Stamp.nullable().meta({ description: 'The UTC time at which it starts the next; null if it is paused.' }),
})

/** The most order mails that GET /ops/health lists. */
export const MAIL_FAULTS_SHOWN = 20

const MailFault = z.object({
  message_id: z.string().meta({ description: 'The id of the mail.' }),
  order_id: z.string().meta({ description: 'The id of its order.' }),
  seller: z.string().meta({ description: 'The seller of the order.' }),
  status_reason: z.string().meta({ description: 'Where the document is wrong, or thread if it could not be made.' }),
  created_at: Stamp.meta({ description: 'The UTC time of the event that the mail reports.' }),
})

/** GET /ops/health. An age is 0 if nothing waits. */
export const OpsHealth = z
  .object({
    at: Stamp.meta({ description: 'The UTC time of these figures.' }),
    orders: z
      .object({
        open: z.array(OpenOrders).meta({ description: 'Open orders by status and age.' }),
        overdue: Count.meta({ description: 'The number of orders whose decision is overdue.' }),
        stuck: z.array(StuckOrders).meta({ description: 'Stuck orders by reason, at most 10,000 in all.' }),
      })
      .meta({ description: 'The orders of every tenant.' }),
    outbox: z
      .object({
        rows: Count.meta({ description: 'The number of its rows, at most 100,000.' }),
        oldest_s: Seconds.meta({ description: 'The age of the oldest of them, in seconds.' }),
      })
      .meta({ description: 'What waits to be carried to Temporal.' }),
    feed: z
      .object({ age_s: Seconds.meta({ description: 'For how many seconds an open transaction has kept newer events off the feeds.' }) })
      .meta({ description: 'The feeds of events of all tenants.' }),
    backlog: z
      .object({
        webhook_s: Seconds.meta({ description: 'The age of the oldest webhook delivery that waits, in seconds.' }),
        mail_s: Seconds.meta({ description: 'The age of the oldest order mail that was not sent, in seconds.' }),
        queue_s: Seconds.meta({ description: 'For how many seconds a message queue has been failing.' }),
      })
      .meta({ description: 'What waits to be sent to tenants.' }),
    webhook_endpoints: z
      .object({
        failing: Count.meta({ description: 'The number of active endpoints whose every attempt since some time has failed.' }),
        disabled: Count.meta({ description: 'The number of disabled endpoints.' }),
      })
      .meta({ description: 'The webhook endpoints of all tenants that get nothing.' }),
    mail_faults: z.array(MailFault).meta({
      description:
        'The order mails of the last 7 days that failed because their document fails its own check, at most 20, the newest first.',
    }),
    open_drops: Count.meta({ description: 'The number of file drops in progress.' }),
    workers: z.array(OpsWorker).meta({ description: 'The workers that were seen within an hour, at most 100, the last seen first.' }),
    temporal: z
      .object({
        reachable: z.boolean().meta({
          description:
            'Whether a worker reached Temporal when it last reported; false if Temporal does not know the namespace, or if no worker has reported within 15 seconds.',
        }),
        reported_at: Stamp.nullable().meta({ description: 'The UTC time of that report; null if there is none.' }),
        schedules: z.array(OpsSchedule).meta({ description: 'The schedules of housekeeping and settlement, as of the report.' }),
      })
      .meta({ description: 'Temporal, as a worker last reported it.' }),
  })
  .meta({ id: 'OpsHealth' })

export type OpsHealth = z.infer<typeof OpsHealth>
