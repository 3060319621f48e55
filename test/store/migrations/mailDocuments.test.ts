import { expect, it } from '@jest/globals'
import { useOldDatabase } from '../../support/useOldDatabase.ts'

const old = useOldDatabase()

it('keeps the content of a document of an earlier version once, with the envelopes of all its mails', async () => {
  await old.migrateToBefore('0105_mail_documents')
  const message = (id: string, document: string, attempts: number) => `
    insert into edi_messages (message_id, order_id, agreement_id, seller, buyer_entity, thread, document, document_id, message_ref, attempts, created_at)
    values ('${id}', 'ord_1', 'agr', 'cable', 'acme', 'ord_1', 'confirmed', '${document}', ${attempts > 0 ? `'${id}@m.example'` : 'null'}, ${attempts}, now());`
  const content = (id: string, refs: string[], scx: string | null) => `
    insert into edi_contents (message_id, sender, refs, headers, terms, descriptors, scx, text)
    values ('${id}', 'orders@m.example', '${JSON.stringify(refs)}', '{"H":"1"}', '{"agreement_id":"agr"}', '{"agency":"A"}', ${scx === null ? 'null' : `'${scx}'`}, 'words');`
  await old.pool.query(`
    insert into tenants (entity, side, name) values ('cable', 'seller', 'Cable');
    insert into sellers (seller, profile) values ('cable', '{}');
    insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, snapshot_head, snapshot_lines, placed_at)
    values ('ord_1', 'cable', 'acme', 'ext', 'catalog', 'placed', 3, now(), now(), '{"order_id":"ord_1"}', ',"artifacts":[]', now());
    insert into order_records (order_id, request_sha256, request, facts, reply) values ('ord_1', '', '{}', '{"currency":"USD"}', '{}');
    ${message('edi_1', 'edi_1', 1)} ${content('edi_1', [], '<adx/>')}
    ${message('edi_2', 'edi_1', 1)} ${content('edi_2', ['edi_1@m.example'], null)}
    ${message('edi_3', 'edi_3', 0)}`)

  await old.migrateTo('0105_mail_documents')
  expect(
    await old.rows(`select document_id, convert_from(scx, 'utf8') as scx, csv, text, headers, terms, descriptors from edi_documents`),
  ).toEqual([
    {
      document_id: 'edi_1',
      scx: '<adx/>',
      csv: null,
      text: 'words',
      headers: { H: '1' },
      terms: { agreement_id: 'agr' },
      descriptors: { agency: 'A' },
    },
  ])
  expect(await old.rows('select message_id, sender, refs, render_failures from edi_messages order by message_no')).toEqual([
    { message_id: 'edi_1', sender: 'orders@m.example', refs: [], render_failures: 0 },
    { message_id: 'edi_2', sender: 'orders@m.example', refs: ['edi_1@m.example'], render_failures: 0 },
    { message_id: 'edi_3', sender: null, refs: null, render_failures: 0 },
  ])
})
