/**
 * SQL: whom an order waits for at `:now`, and whether its decision is overdue, in agreement with `waitingOn` of the domain, for statements
 * that filter or count. A test checks that the two agree.
 */
export const WAITS_ON = `case
    when substatus in ('awaiting_plan', 'quote_lapsed') or status = 'seller_review' then 'seller'
    when status in ('needs_confirmation', 'negotiating') then case when decide_by < :now::timestamptz then 'seller' else 'buyer' end
    when status in ('submitted', 'validating', 'confirmed') then 'platform'
  end`
export const IS_OVERDUE = `(status = 'seller_review' and coalesce(decide_by < :now::timestamptz, false))`

/** The predicate of the indexes of open orders. A statement can use those indexes only if it contains this exact text. */
export const IS_OPEN = "status not in ('placed', 'canceled', 'rejected', 'failed')"
