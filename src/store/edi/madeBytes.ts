/** Joins `made`, the bytes of the document of a mail `m`, which the first mail that has them keeps for all that send the document again. */
export const MADE_BYTES = `left join lateral (
      select made_c.scx, made_c.csv from edi_messages made_m join edi_contents made_c using (message_id)
        where made_m.order_id = m.order_id and made_m.document_id = m.document_id order by made_m.message_no limit 1
    ) made on true`
