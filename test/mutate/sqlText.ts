/** A word, a sign or a literal of a statement. Places are offsets in the text; `depth` counts parentheses and cases around it. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

/** What stands for `${…}`: not a word, so that no rule sees a word of SQL in it. */
const OPAQUE = '¤'

const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|::|->>?|#>>?|@>|<@|<=|>=|<>|!=|\|\||&&|[\w$]+|¤+|:[a-z_]\w*|[^\s\w]/gi

/** Splits SQL into its tokens, without comments. */
export function tokensOf(sql: string): Token[] {
  let depth = 0
  const tokens: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const text = match[0].toLowerCase()
    if (text.startsWith('--')) continue
    if (text === ')' || text === 'end') depth -= 1
    tokens.push({ text, start: match.index, end: match.index + text.length, depth })
    if (text === '(' || text === 'case') depth += 1
  }
  return tokens
}

/** Returns the text of a literal with each `${…}` hidden, at the same offsets. `holes` are relative to the text. */
export function hidden(text: string, holes: readonly { start: number; end: number }[]): string {
  return holes.reduce((left, { start, end }) => `${left.slice(0, start)}${OPAQUE.repeat(end - start)}${left.slice(end)}`, text)
}

/** Whether a text is SQL, whole or a part, and not a sentence. */
export function looksLikeSql(text: string): boolean {
  const plain = text.replaceAll(OPAQUE, ' x ')
  return (
    /\b(select|where|order by|limit|join|insert into|delete from|for update|for share|is null|is not null|coalesce|interval|and|or)\b/.test(
      plain,
    ) &&
    !/^\s*[A-Z][a-z]/.test(plain) &&
    /[=<>(:.]|\bis\b|\border by\b/.test(plain)
  )
}
