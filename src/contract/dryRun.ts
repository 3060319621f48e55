import { z } from 'zod'

/** The parameters of operations that have a dry run. */
export const DryRunQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).optional().meta({ description: 'true: replies 200 with what would happen, and writes nothing.' }),
})
export type DryRunQuery = z.output<typeof DryRunQuery>
