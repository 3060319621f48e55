/**
 * Makes joins find rows by index for the rest of a transaction. The planner knows neither how few rows were sent nor, soon after a large
 * write, how many the table has, so it might read all of them.
 */
export const JOIN_BY_INDEX = {
  name: 'join-by-index',
  text: `select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
}
