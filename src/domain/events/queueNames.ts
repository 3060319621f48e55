/** Where a tenant's events go on a broker. An exchange of its own, so that nobody can bind a queue to another tenant's events. */
export function queueNames(tenant: string): { exchange: string; queue: string } {
  return { exchange: `marketplace.${tenant}`, queue: `marketplace.${tenant}` }
}
