import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDownSince } from '../../api/health.ts'
import { type Mail, mailDocument, mailLog, resendMail } from '../../api/queries/mails.ts'
import type { Order, Side } from '../../api/queries/orders.ts'
import { useKeyed } from '../../api/useKeyed.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import classes from './MailLog.module.css'

const LOOKS: Record<Mail['status'], readonly [IconName, string | undefined]> = {
  queued: ['clock', ''],
  sent: ['check', classes.good],
  failed: ['alert', classes.bad],
  bounced: ['alert', classes.bad],
  skipped: ['ban', ''],
}

/** Lists the mails that sent this order's documents to the agency's billing system; both sides see the same list. */
export function MailLog({ order, side }: { order: Order; side: Side }) {
  const { data, error } = useQuery(mailLog(side, order.order_id))
  if (data === undefined) return <FaultAlert error={error} title="The mails of this order cannot be read" />
  if (data.items.length === 0 && data.reason !== 'no_address') return null
  return (
    <section className={classes.log} aria-label="Mails">
      <h2>Mails to the billing system</h2>
      {data.reason !== null && <p className={classes.quiet}>{REASONS[data.reason]}</p>}
      {data.items.length > 0 && (
        <div className={classes.scroller}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Document</th>
                <th scope="col">Status</th>
                <th scope="col">To</th>
                <th scope="col">Made</th>
                <th scope="col">Attempts</th>
                <th scope="col">
                  <span className={classes.hidden}>Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((mail) => (
                <MailRow key={mail.message_id} mail={mail} order={order} side={side} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const REASONS = {
  no_agreement: 'No mail is sent: the order is under no agreement.',
  no_address: 'No mail is sent: the agreement has no address for documents.',
}

function MailRow({ mail, order, side }: { mail: Mail; order: Order; side: Side }) {
  const [icon, tone] = LOOKS[mail.status]
  const last = mail.attempts.at(-1)
  const why = mail.status_reason ?? mail.stuck ?? undefined
  return (
    <tr>
      <th scope="row">
        {mail.document}
        <span className={classes.quiet}>
          event {mail.seq}
          {mail.resend_of !== undefined && ', sent again'}
        </span>
        {mail.warnings.map((warning) => (
          <span key={JSON.stringify(warning)} className={classes.quiet}>
            {'message' in warning ? warning.message : warning.code}
          </span>
        ))}
      </th>
      <td className={tone}>
        <Icon name={icon} size={14} /> {mail.status}
        {why !== undefined && <span className={classes.quiet}>{why.replaceAll('_', ' ')}</span>}
      </td>
      <td>{mail.to}</td>
      <td>
        <Instant at={mail.created_at} />
      </td>
      <td>
        {countText(mail.attempts.length, 'attempt')}
        {last && (
          <span className={classes.quiet}>
            {last.outcome} {last.code}, {last.latency_ms} ms
          </span>
        )}
      </td>
      <td>
        <MailActions mail={mail} order={order} side={side} />
      </td>
    </tr>
  )
}

function MailActions({ mail, order: { order_id }, side }: { mail: Mail; order: Order; side: Side }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const send = useKeyed()
  const sending = useMutation({
    mutationFn: () => send(mail.message_id, (key, id) => resendMail(side, order_id, id, key)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', order_id, 'mails'] }),
  })
  if (mail.filename === null) return null
  return (
    <>
      <Anchor href={mailDocument(side, order_id, mail.message_id)} download={mail.filename} size="sm">
        Download
      </Anchor>{' '}
      <Button size="compact-xs" variant="default" loading={sending.isPending} disabled={isDown} onClick={() => sending.mutate()}>
        Send again
      </Button>
      <FaultAlert error={sending.error} />
    </>
  )
}
