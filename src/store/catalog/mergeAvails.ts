/**
 * SQL: merges avails into those of a seller by (product_id, period), as PUTs and drops do. `rows` selects product_id, grain, start, state,
 * body and as_of: an avail that was published after as_of stays; null is now, after everything. An unchanged avail is written only where
 * `again` holds, a condition on `a`, the published row. Requires the publish lock, under which nobody else writes the seller's avails.
 * Fenced, with one lookup per row: a plan made without statistics of the seller would compare each row with all of the seller's avails.
 */
export const MERGE_AVAILS = (rows: string, again: string) =>
  `merge into avails a
    using (
      select sent.*, published.place from (${rows}) sent
        left join lateral (
          select ctid as place from avails b
          where b.seller = :seller and b.product_id = sent.product_id and b.grain = sent.grain and b.start = sent.start offset 0
        ) published on true
    ) s on a.ctid = s.place
    when matched and (s.as_of is null or a.updated_at <= s.as_of) and (a.body::text is distinct from s.body::text or ${again})
      then update set state = s.state, body = s.body, updated_at = coalesce(s.as_of, now())
    when not matched then insert (seller, product_id, grain, start, state, body, updated_at)
      values (:seller, s.product_id, s.grain, s.start, s.state, s.body, coalesce(s.as_of, now()))`
