/** Checks of the units and the money of makegoods; every row of an answer is one violation. */

const ENTRIES = (member: string) => `json_to_recordset(m.agreed->'${member}') as entry (unit_id text, date date, units int, gross numeric)`
const MISSED = `json_to_recordset(m.missed) as entry (unit_id text, date date, units int)`

const TAKEN = `
  select m.order_id, entry.unit_id, entry.date, entry.units, entry.gross, 'made_good' as kind from makegoods m cross join lateral ${ENTRIES('replaces')}
    where m.status = 'accepted'
  union all
  select c.order_id, c.unit_id, c.air_date, c.units, c.gross, 'credited' from makegood_credits c
  union all
  select m.order_id, entry.unit_id, entry.date, entry.units, 0, 'waiting' from makegoods m cross join lateral ${MISSED}
    where m.status in ('noticed', 'offered') and (m.expires_at is null or m.expires_at > now())`

export const MAKEGOOD_INVARIANTS: readonly { invariant: 'I20'; text: string }[] = [
  {
    invariant: 'I20',
    text: `select t.order_id, 'more is made good, credited or noticed of a spot than is booked' as problem from (${TAKEN}) t
      join booked_spots s on s.order_id = t.order_id and s.unit_id = t.unit_id and s.air_date = t.date and s.kind = 'spot' and s.units > 0
      group by t.order_id, t.unit_id, t.date, s.units having sum(t.units) > s.units`,
  },
  {
    invariant: 'I20',
    text: `select t.order_id, 'what is made good and credited of a spot does not come to its price' as problem from (${TAKEN}) t
      join booked_spots s on s.order_id = t.order_id and s.unit_id = t.unit_id and s.air_date = t.date and s.kind = 'spot'
      where t.kind <> 'waiting' group by t.order_id, t.unit_id, t.date, s.units, s.gross
      having sum(t.units) = s.units and sum(t.gross) <> s.gross and not exists (
        select from variance_actions a where a.order_id = t.order_id and a.unit_id = t.unit_id and a.air_date = t.date and a.amount > 0)`,
  },
  {
    invariant: 'I20',
    text: `select m.order_id, 'a makegood makes good or credits what it is not for' as problem from makegoods m cross join lateral (
        select entry.unit_id, entry.date, entry.units from ${ENTRIES('replaces')}
        union all select c.unit_id, c.air_date, c.units from makegood_credits c where c.makegood_id = m.makegood_id) taken
      left join lateral ${MISSED.replace('entry', 'noticed')} on noticed.unit_id = taken.unit_id and noticed.date = taken.date
      where taken.units > coalesce(noticed.units, 0)`,
  },
  {
    invariant: 'I20',
    text: `select m.order_id, 'an agreed makegood does not cost what it replaces' as problem from makegoods m cross join lateral (
        select sum(entry.gross) as gross from ${ENTRIES('replaces')}) replaced
      where m.agreed is not null and (m.agreed->>'gross')::numeric <> replaced.gross`,
  },
  {
    invariant: 'I20',
    text: `select m.order_id, 'a makegood is not what its actions led to' as problem from makegoods m cross join lateral (
        select count(*) as steps, max(n) as last, count(*) filter (where action = 'offer') as offers, (array_agg(status order by n desc))[1] as status
        from makegood_steps s where s.makegood_id = m.makegood_id) log
      where log.steps <> log.last or m.version <> 1 + log.offers or m.status <> log.status or (m.due_at is not null) <> (m.status in ('noticed', 'offered'))
        or (m.status = 'credited') <> exists (select from makegood_credits c where c.makegood_id = m.makegood_id)`,
  },
  {
    invariant: 'I20',
    text: `select i.order_id, 'a credit note is not that of the makegoods that it credits' as problem from invoices i
      where i.reason = 'NOT_MADE_GOOD' and (
        not exists (select from makegood_credits c where c.invoice_id = i.invoice_id)
        or -i.gross > (select coalesce(sum(c.gross), 0) from makegood_credits c where c.invoice_id = i.invoice_id))`,
  },
]
