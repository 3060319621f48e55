/** Returns a tenant's exchange and queue. Each tenant has its own exchange, so no tenant can bind a queue to another's events. */
export function queueNames(tenant: string): { exchange: string; queue: string } {
  return { exchange: `marketplace.${tenant}`, queue: `marketplace.${tenant}` }
}
