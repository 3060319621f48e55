/** SQL: a time as this service writes times in texts and JSON, in UTC with milliseconds. */
export const utcText = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
