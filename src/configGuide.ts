import { z } from 'zod'

/** What docs/configuration.md says of a variable; its form, its default and its error message come from the schema itself. */
export interface VariableGuide {
  /** The unit included. */
  readonly about: string
  readonly readBy: readonly ('start' | 'API' | 'worker' | 'SFTP' | 'bounces' | 'commands')[]
  /** What holds when it is not set and the schema has no default. */
  readonly unset?: string
  /** What else can be wrong with it than its form, and what happens then. */
  readonly fault?: string
}
export const VARIABLE_GUIDE = z.registry<VariableGuide>()

export const IS_TAKEN = 'Startup also fails if another program uses the port.'
