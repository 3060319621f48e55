import { type Kysely, sql } from 'kysely'
import { own, PARTY, QUEUE, rowSecurity } from './policies.ts'

/** Order mail: the documents that an order's events call for, what was sent, and every attempt (choices, Order mail). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [MESSAGES, DOCUMENTS, ATTEMPTS, RESENDS, BOUNCE]) await sql.raw(statement).execute(db)
}

const MESSAGES = `
create table edi_messages (
  message_id       text primary key,
  message_no       bigint generated always as identity unique, -- the order of a thread
  order_id         text not null references orders,
  seq              integer, -- of the event that it is about; null when it was asked for
  agreement_id     text not null,
  seller           text not null,
  buyer_entity     text not null,
  thread           text not null, -- the first order of the family
  document         text not null check (document in ('confirmed', 'revised', 'cancelled')), -- final from the first attempt on
  document_id      text not null, -- the message that had the document first
  supersedes       text references orders, -- the order that a revised document names
  resend_of        text references edi_messages,
  status           text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'bounced', 'skipped')),
  status_reason    text,
  stuck            text check (stuck in ('auth', 'tls', 'dns', 'connect', 'deferred')),
  to_address       text, -- from the first attempt on, as the four below
  subject          text,
  filename         text,
  sha256           text,
  message_ref      text, -- its Message-ID
  warnings         json not null default '[]',
  created_at       timestamptz not null, -- of the event
  due_at           timestamptz not null default now(),
  leased_until     timestamptz,
  attempts         integer not null default 0, -- begun, also those that a killed process left without an outcome
  first_attempt_at timestamptz,
  may_have_gone    boolean not null default false, -- it went, or nobody knows
  sent_at          timestamptz,
  bounced_at       timestamptz,
  sender           text, -- the address in From, whose domain is in the Message-ID
  refs             json, -- the earlier messages of the thread, oldest first
  render_failures  integer not null default 0, -- times that it could not be made, for a reason that may pass
  unique (order_id, seq)
) with (${QUEUE});
create index edi_messages_due on edi_messages (agreement_id, due_at, message_no) where status = 'queued';
create index edi_messages_queued on edi_messages (agreement_id, thread, message_no) where status = 'queued';
create index edi_messages_thread on edi_messages (thread, message_no);
-- What operators list of every tenant. A document that failed its own check is a fault of the platform.
create index edi_messages_waiting on edi_messages (message_id) where status = 'queued';
create index edi_messages_not_arrived on edi_messages (message_id) where status in ('failed', 'bounced');
create index edi_messages_invalid on edi_messages (created_at) where status = 'failed' and status_reason like 'invalid_document:%';
${rowSecurity('edi_messages', { select: PARTY, insert: PARTY })}
grant select, insert on edi_messages to marketplace_app;
grant update on edi_messages to marketplace_platform;
`

/** Of a message that is shown: its own policy holds in here too. */
const ofMessage = (id: string) => `exists (select from edi_messages m where m.message_id = ${id} offset 0)`

const DOCUMENTS = `
-- The content of a document, kept once, however many mails send it.
create table edi_documents (
  document_id text primary key references edi_messages,
  headers     json not null,
  terms       json not null, -- what the agreement said of documents, and
  descriptors json not null, -- names, titles and windows: later documents of the order reuse both
  scx         bytea,
  csv         bytea,
  text        text not null
);
${rowSecurity('edi_documents', { select: ofMessage('edi_documents.document_id') })}
grant select on edi_documents to marketplace_app;
grant insert on edi_documents to marketplace_platform;
`

const ATTEMPTS = `
create table edi_attempts (
  message_id text not null references edi_messages,
  n          integer not null check (n > 0),
  at         timestamptz not null,
  outcome    text not null check (outcome in ('accepted', 'refused', 'deferred', 'unreachable')),
  reason     text check (reason in ('auth', 'tls', 'dns', 'connect', 'deferred')),
  code       integer,
  enhanced   text,
  latency_ms integer not null,
  primary key (message_id, n)
);
${rowSecurity('edi_attempts', { select: ofMessage('edi_attempts.message_id') })}
grant select on edi_attempts to marketplace_app;
grant insert on edi_attempts to marketplace_platform;
`

const RESENDS = `
-- Mails that a side of an order asked for: they count against its limit, and a repeat of the request answers the same.
create table edi_resends (
  message_id text primary key references edi_messages,
  order_id   text not null,
  tenant     text not null, -- who asked
  asked_at   timestamptz not null,
  key        text, -- its Idempotency-Key
  body_hash  bytea,
  reply      text not null,
  unique (order_id, tenant, key),
  check ((key is null) = (body_hash is null))
);
create index edi_resends_of on edi_resends (order_id, tenant, asked_at);
create index edi_resends_age on edi_resends (asked_at);
${rowSecurity('edi_resends', { select: own('tenant'), insert: own('tenant') })}
grant select, insert on edi_resends to marketplace_app;
grant delete on edi_resends to marketplace_platform;
`

const BOUNCE = `
-- The one change that the bounce process may make: whoever returns a mail acts for no tenant.
create function bounce_edi_message(id text, code text) returns text
  language sql volatile security definer set search_path = pg_catalog as $$
  with bounced as (
    update public.edi_messages set status = 'bounced', status_reason = bounce_edi_message.code, bounced_at = now()
    where message_id = bounce_edi_message.id and status = 'sent' returning status
  )
  select coalesce((select status from bounced), (select status from public.edi_messages where message_id = bounce_edi_message.id))
$$;
revoke execute on function bounce_edi_message from public;
grant execute on function bounce_edi_message to marketplace_app, marketplace_platform;
`
