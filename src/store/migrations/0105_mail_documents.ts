import { type Kysely, sql } from 'kysely'

/**
 * Keeps the content of a document once, however many mails send it; a mail keeps only what is its own. Counts how often a mail could not be made, and
 * sorts the queue of an agreement by what is due first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [DOCUMENTS, POLICIES, ENVELOPES, QUEUE]) await sql.raw(statement).execute(db)
}

/** The first mail of a document has its content; later ones have copies of all but the bytes. */
const DOCUMENTS = `
create table edi_documents (
  document_id text primary key references edi_messages,
  headers     json not null,
  terms       json not null, -- what the agreement said of documents, and
  descriptors json not null, -- names, titles and windows: later documents of the order reuse both
  scx         bytea,
  csv         bytea,
  text        text not null
);
insert into edi_documents
  select distinct on (m.document_id) m.document_id, c.headers, c.terms, c.descriptors, c.scx, c.csv, c.text
  from edi_contents c join edi_messages m using (message_id) order by m.document_id, m.message_no;
`

const POLICIES = `
alter table edi_documents enable row level security;
create policy platform on edi_documents to marketplace_platform using (true) with check (true);
create policy tenant_select on edi_documents for select to marketplace_app
  using (exists (select from edi_messages m where m.message_id = edi_documents.document_id offset 0));
grant select on edi_documents to marketplace_app;
grant insert on edi_documents to marketplace_platform;
`

const ENVELOPES = `
alter table edi_messages
  add column sender text, -- the address in From, whose domain is in the Message-ID
  add column refs json, -- the earlier messages of the thread, oldest first
  add column render_failures integer not null default 0; -- times that it could not be made, for a reason that may pass
update edi_messages m set sender = c.sender, refs = c.refs from edi_contents c where c.message_id = m.message_id;
drop table edi_contents;
`

const QUEUE = `
drop index edi_messages_due;
create index edi_messages_due on edi_messages (agreement_id, due_at, message_no) where status = 'queued';
`
