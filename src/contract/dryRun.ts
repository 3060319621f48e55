import { z } from 'zod'

/** Parameters of what can be tried without writing. */
export const DryRunQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).optional().meta({ description: 'true: replies 200 with what would happen, and writes nothing.' }),
})
export type DryRunQuery = z.output<typeof DryRunQuery>
