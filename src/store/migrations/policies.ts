/** Pieces of the SQL of migrations. What a migration has used is never changed: databases would differ by when they were migrated. */

type Command = 'select' | 'insert' | 'update' | 'delete'

/**
 * Row security of a table. The platform passes; a tenant reads and writes the rows that the rule of the command names, and none where there is no rule.
 * What a transaction acts for is asked once for each table of a statement, not for each row: hence the sub-selects in the rules. A sub-select for a row
 * is fenced (`offset 0`): a plan made while the tables were empty would hash all orders for the sake of one event.
 */
export function rowSecurity(table: string, rules: Partial<Record<Command, string>> = {}): string {
  const policies = Object.entries(rules).map(([command, rule]) => {
    const clause = command === 'insert' ? 'with check' : 'using'
    return `create policy tenant_${command} on ${table} for ${command} to marketplace_app ${clause} (${rule});`
  })
  return `
alter table ${table} enable row level security;
create policy platform on ${table} to marketplace_platform using (true) with check (true);
${policies.join('\n')}`
}

/** A column names a tenant in whose name the transaction is. */
export const own = (column: string) => `${column} = any((select acting_tenants())::text[])`

/** A column names a tenant with which the transaction deals; true for all when it deals with everybody. */
export const dealt = (column: string) => `(${column} = any((select dealt_tenants())::text[])) is not false`

/** One of several columns names a tenant in whose name the transaction is. */
export const ownAny = (columns: string) => `array[${columns}] && (select acting_tenants())`

/** The row lies between a seller and a buyer, and the transaction is in the name of one of them. */
export const PARTY = ownAny('seller, buyer_entity')

export const whole = (rule: string) => ({ select: rule, insert: rule, update: rule, delete: rule })
export const writtenBy = (column: string) => ({ insert: own(column), update: own(column), delete: own(column) })

/** The row is of an order that is shown: the policy of orders holds in here too. */
export const ofOrder = (table: string) => `exists (select from orders o where o.order_id = ${table}.order_id offset 0)`

/** Rows are never changed or taken away, by the owner neither. */
export const appendOnly = (table: string) => `
create trigger ${table}_append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger ${table}_never_truncated before truncate on ${table} for each statement execute function refuse_change();`

/** Few rows that change all the time: a share of the size of such a queue would never be reached, or always, so that vacuum counts rows. */
export const QUEUE = 'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0'
/** Many rows, each changed a few times. */
export const CHANGING = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02'
/** Only grows: new rows are to be read from indexes alone, and frozen before their transaction ids run out, so that a fifth of it is far too much. */
export const GROWING = 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02'
