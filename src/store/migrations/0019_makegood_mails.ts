import { type Kysely, sql } from 'kysely'

/** Mails of makegoods to the address of an agreement, where that asks for them (choices, Order mail: makegoods). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(MAILS).execute(db)
}

const MAILS = `
alter table edi_messages add column mailed_makegood json; -- as it was when it changed
alter table edi_messages add column seq_then integer; -- the newest event of the order then
alter table edi_messages drop constraint edi_messages_document_check;
alter table edi_messages add constraint edi_messages_document_check
  check (document in ('confirmed', 'revised', 'cancelled') or document = 'makegood' and mailed_makegood is not null and seq_then is not null
    or document = 'makegood' and resend_of is not null);
`
