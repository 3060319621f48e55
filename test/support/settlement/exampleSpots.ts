/** The nine spots of line a in the example of docs/sell/reconciliation.md: each one's airing, its billed rate, and the date it makes good. */
export const EXAMPLE_SPOTS: readonly (readonly [date: string, time: string, rate?: number, makegood?: string])[] = [
  ['2027-02-01', '19:05'],
  ['2027-02-01', '20:15', 4500],
  ['2027-02-01', '21:50'],
  ['2027-02-03', '19:20'],
  ['2027-02-03', '21:00'],
  ['2027-02-03', '22:41'],
  ['2027-02-05', '20:00'],
  ['2027-02-06', '20:10', 4200, '2027-02-05'],
  ['2027-02-07', '21:30'],
]
