import type { ColumnType } from 'kysely'

/** A timestamptz column: ISO text when read and when written. */
export type Time = ColumnType<string, string, string>
export type OptionalTime = ColumnType<string | null, string | null | undefined, string | null>
export type DefaultTime = ColumnType<string, string | undefined, string>
