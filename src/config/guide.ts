import { z } from 'zod'

/** The text of docs/operate/configuration.md on a variable; its form, default and error message come from the schema itself. */
export interface VariableGuide {
  /** The meaning of the variable, with its unit. */
  readonly about: string
  readonly readBy: readonly ('start' | 'API' | 'worker' | 'SFTP' | 'bounces' | 'commands')[]
  /** What applies if the variable is not set and the schema has no default. */
  readonly unset?: string
  /** Other faults than a wrong form, and what happens then. */
  readonly fault?: string
}
export const VARIABLE_GUIDE = z.registry<VariableGuide>()

export const IS_TAKEN = 'Startup also fails if another program uses the port.'
