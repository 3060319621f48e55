import { type Kysely, sql } from 'kysely'

/** Order mail: the documents that an order's events call for, what was sent, and every attempt (choices, Order mail). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLES).execute(db)
  for (const [table, rule] of Object.entries(POLICIES)) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      `create policy tenant_select on ${table} for select to marketplace_app using (${rule})`,
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
  await sql.raw(`create policy tenant_insert on edi_messages for insert to marketplace_app with check (${PARTY})`).execute(db)
}

const PARTY = 'array[seller, buyer_entity] && (select acting_tenants())'
/** Of a message that is shown: its own policy holds in here too. */
const ofMessage = (table: string) => `exists (select from edi_messages m where m.message_id = ${table}.message_id offset 0)`
const POLICIES: Readonly<Record<string, string>> = {
  edi_messages: PARTY,
  edi_contents: ofMessage('edi_contents'),
  edi_attempts: ofMessage('edi_attempts'),
}

const TABLES = `
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
  unique (order_id, seq)
);
create index edi_messages_due on edi_messages (agreement_id, due_at) where status = 'queued';
create index edi_messages_queued on edi_messages (agreement_id, thread, message_no) where status = 'queued';
create index edi_messages_thread on edi_messages (thread, message_no);

create table edi_contents (
  message_id  text primary key references edi_messages,
  sender      text not null, -- the address in From, whose domain is in the Message-ID
  refs        json not null, -- the earlier messages of the thread, oldest first
  headers     json not null,
  terms       json not null, -- what the agreement said of documents, and
  descriptors json not null, -- names, titles and windows: later documents of the order reuse both
  scx         bytea,
  csv         bytea,
  text        text not null
);

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

grant select, insert on edi_messages to marketplace_app;
grant select on edi_contents, edi_attempts to marketplace_app;
grant update on edi_messages to marketplace_platform;
grant insert on edi_contents, edi_attempts to marketplace_platform;
`
