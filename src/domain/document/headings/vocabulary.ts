/**
 * What a column can mean. `money` is a price of a unit or of a row, `total` the units or the price of a row: the words do not tell, and the
 * arithmetic of the table decides (`roles`).
 */
export type Role =
  | 'row'
  | 'product'
  | 'program'
  | 'block'
  | 'daypart'
  | 'network'
  | 'market'
  | 'days'
  | 'window'
  | 'start'
  | 'end'
  | 'length'
  | 'units'
  | 'total'
  | 'rate'
  | 'cost'
  | 'money'
  | 'list'
  | 'perWeek'
  | 'weekCount'
  | 'per'
  | 'dates'
  | 'weekOf'
  | 'startDate'
  | 'endDate'
  | 'kind'
  | 'action'
  | 'clock'
  | 'creative'
  | 'ignored'
  | 'marketClass'
  | 'advertiserClass'
  | 'tier'
  | 'impressions'
  | 'cpm'
  | 'weekday'
  | 'date'

export type Basis = 'gross' | 'net'

/** What a heading says by its words. */
export interface Named {
  readonly role: Role
  /** A basis of its prices that the heading names. */
  readonly basis?: Basis | undefined
  /** A length of spots that the heading names, as `per :30`. */
  readonly seconds?: number | undefined
}

/** Returns what a heading means by its words; undefined if they are unknown. Words for basis, currency and length qualify and do not name. */
export function named(text: string): Named | undefined {
  if (text.length > HEADING_CHARACTERS || text.trim() === '') return undefined
  const words = wordsOf(text)
  const basis = basisOf(words)
  const [front, colon, marked] = LEADING_LENGTH.exec(text.trim()) ?? []
  const leading = colon ?? marked
  const length = /\bper ?(\d{2})( ?secs?)?\b/.exec(words)?.[1] ?? leading
  const qualified = { ...(basis === undefined ? {} : { basis }), ...(length === undefined ? {} : { seconds: Number(length) }) }
  const plain = (front === undefined ? words : wordsOf(text.trim().slice(front.length)))
    .replace(/\bper ?\d{2}( ?secs?)?\b|\busd\b|\b000s?\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  // A sign of money makes a price of what is counted: `$/Spot`, `Total $`.
  if (text.includes('$') && /^((gross|net) )?(spot|unit|per spot|per unit|ad)$/.test(plain)) return { role: 'rate', ...qualified }
  if (text.includes('$') && /^(total|tot|ttl)$/.test(plain)) return { role: 'cost', ...qualified }
  const whole = ROLES.get(plain)
  if (whole !== undefined) return { role: whole, ...qualified }
  if (IGNORED.test(plain)) return { role: 'ignored' }
  const bare = plain
    .replace(/\b(gross|net|stn|station|discounted|promo|booked)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const summed = /^(?:total|tot|ttl|extended|ext) (.+)$/.exec(bare)?.[1]
  const whose = summed === undefined ? undefined : ROLES.get(summed)
  if (whose !== undefined && ['money', 'cost'].includes(whose) && !ROLES.has(bare)) return { role: 'cost', ...qualified }
  if (bare === '') return plain === '' ? undefined : { role: /discounted|booked/.test(plain) ? 'rate' : 'money', ...qualified }
  const role = ROLES.get(bare)
  return role === undefined || !QUALIFIED.includes(role) ? inTwoLanguages(text) : { role, ...qualified }
}

/** `Length / Durée` is a heading in two languages; two headings of one column, which mean different things, name nothing. */
function inTwoLanguages(text: string): Named | undefined {
  const said = text.split(' / ')
  if (said.length !== 2) return undefined
  const [one, two] = said.map(named)
  return one === undefined || two === undefined || one.role === two.role ? (one ?? two) : undefined
}

const HEADING_CHARACTERS = 80
/** A length in front of its price: `:30 Rate`, `30 sec cost`, `60" Rate`. */
const LEADING_LENGTH =
  /^(?::(10|15|20|30|45|60|90|120)|(10|15|20|30|45|60|90|120) ?(?:s|secs?|seconds?|"|'')) (?=rate|cost|price|gross|net|unit)/i
/** The roles whose headings may say gross or net. */
const QUALIFIED: readonly Role[] = ['rate', 'cost', 'money', 'total', 'units']

/**
 * Returns true for a table that lists products and says neither days nor windows: what its rows leave out may follow from what is published, and
 * what its columns name, each row has to state.
 */
export function isList({ headings }: { readonly headings: readonly { readonly named: Named | undefined }[] }): boolean {
  const roles = headings.flatMap(({ named: own }) => own?.role ?? [])
  return !roles.some((role) => role === 'days' || role === 'window' || role === 'start')
}

export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9#*]+/g, ' ')
    .replace(/#/g, ' # ')
    .trim()
    .replace(/ +/g, ' ')
}

export function basisOf(words: string): Basis | undefined {
  const [gross, net] = [/\bgross\b/.test(words), /\bnet\b/.test(words)]
  return gross === net ? undefined : gross ? 'gross' : 'net'
}

/** Ratings and their prices, and what is no term of an order. */
const IGNORED =
  /\b(rtg|cpp|grps?|gris?|trps?|gimps?|imps?|pct|rating|shr|share|ad18)\b|^(lang|note|notes|c t|estimate|comments?|survey|create date|separation|priority|format|adults? \d\d.*|i cpm|demo)$/

const list = (role: Role, words: string) => words.split(', ').map((word) => [word, role] as const)

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...list('row', 'line, line #, line no, line number, ln, #, no, item, row, line item, lines, number'),
  ...list('product', 'product, product id, product code, product name, selling title, inventory, placement, avail, avail name, unit name'),
  ...list('program', 'program, programs, programme, program name, program title, programming, show, show name, description, title'),
  ...list(
    'program',
    'program time, day part program, daypart program, tp program lang ordered, program daypart, day part program time, programming name',
  ),
  ...list('block', 'language block, language, block'),
  ...list('daypart', 'daypart, day part, dayparts, dp, dpt, daypart code, day part program code, dp code'),
  ...list('network', 'network, station, outlet, channel, call letters, stn, ch, vendor'),
  ...list('market', 'market, markets, dma'),
  ...list('days', 'days, day, day s, weekdays, weekday, dys, day of week, air days'),
  ...list(
    'window',
    'time, times, time period, time period days, day time, days time, start end time, time slot, hours, daypart time, window, air time',
  ),
  ...list(
    'window',
    'days times, day times, days and times, day and time, dates times, time of day, time of day rotation, time of day rotation or package, time period ordered',
  ),
  ...list('start', 'start, start time, begin'),
  ...list('end', 'end, end time'),
  ...list('length', 'len, length, dur, duration, spot length, spot len, sec, secs, seconds, ad size, size, copy length, unit length'),
  ...list(
    'length',
    'broadcast length, spot length sec, spot length secs, spot length seconds, unit length sec, ad length, commercial length',
  ),
  ...list('length', 'lgth, lgt, lth, length sec, length secs, length seconds, len sec, len secs, spot lgth, spot dur, copy len'),
  ...list('rate', 'per spot rate, unit gross, rate per unit, spot price, price per ad, rate per ad, gross per spot'),
  ...list('units', 'spts, tot spts, total spts, ads, total ads, spot count, unit count, # ads, total # spots, total # units'),
  ...list('row', 'ln, ln #, buyline, buy line, buy line #, seq, seq #, row #, ref, line id'),
  ...list('cost', 'ext, ext cost, ext amount, ext gross, tot cost, tot amount, tot gross, sub total, subtotal'),
  ...list(
    'units',
    'spots, units, spot, unit, total spots, total units, tot spots, tot units, ttl spots, ttl units, no units, no spots, # units, # spots',
  ),
  ...list(
    'units',
    '# of units, # of spots, number of spots, number of units, no of spots, no of units, total unit #, total # of units, total # of spots',
  ),
  ...list(
    'units',
    'total no of spots, qty, quantity, insertions, units ordered, spots ordered, spots total, units total, ordered, wks spots, number spots, number units',
  ),
  ...list('total', 'total, tot, totals, ttl'),
  ...list(
    'rate',
    'rate, unit rate, unit cost, unit price, unit value, price, rate per spot, spot rate, spot cost, cost per spot, cost per unit',
  ),
  ...list('rate', 'per spot, per unit, price per spot, price per unit, rate per unit, cost spot, rate spot, gross rate unit'),
  ...list(
    'cost',
    'total cost, total amount, total dollars, total gross, total net, line total, line total cost, amount, extended, extended cost',
  ),
  ...list('cost', 'extension, total amount of airtime, total price, row total, gross total, net total, line gross, line cost, total rate'),
  ...list('money', 'cost, cost tax, dollars, investment, gross, net, spend, billing, budget, expense'),
  ...list('list', 'list, list price, list rate, rate card, open rate, rack rate'),
  ...list(
    'perWeek',
    'spt wk, spts wk, spots wk, spots week, spots per week, spot week, # spt per, spots per wk, units per week, units week, units wk, weekly spots',
  ),
  ...list(
    'perWeek',
    'times per week, times per wk, times week, # spots per week, # of spots per week, number of spots per week, no of spots per week, # per week, x per week, ads per week',
  ),
  ...list('weekCount', 'no wks, # wks, wks, weeks, no weeks, no of weeks, # of weeks, number of weeks, # of days wks mos'),
  ...list('per', 'per'),
  ...list('dates', 'dates, flight dates, flight, schedule flight dates, air dates, date range, period, flight date'),
  ...list(
    'weekOf',
    'week of, wk of, week, wk, week beginning, week commencing, week starting, w c, wc, week date, flight week, air week, broadcast week, week start date, wk start date, week start, wk start, week begin, week begin date, week beginning date',
  ),
  ...list('dates', 'date, month, broadcast month, air month, air date'),
  ...list('startDate', 'start date, flight start, begin date, from date, start dates, from, begins'),
  ...list('endDate', 'end date, flight end, to date, end dates, thru, through, to, ends'),
  ...list('kind', 'type, spot type, buy type, buying type, type of buy, kind, commitment, inventory type'),
  ...list('action', 'action, *, transaction, trans, status, change, was is'),
  ...list('clock', 'time in, time out, aired, air time actual, actual time, time aired, airtimep, aired time'),
  ...list('creative', 'isci, isci ad id, ad id, ad title, copy, creative, rotation, spot title, media, media id'),
  ...list('marketClass', 'market class, rate class, class'),
  ...list('advertiserClass', 'advertiser class, adv class, advertiser category, category'),
  ...list('tier', 'tier, clearance tier, clearance'),
  ...list('impressions', 'impressions, impression goal, impressions goal, goal impressions, imps goal'),
  ...list('cpm', 'cpm, gross cpm, cpm rate, cost per thousand'),
])
