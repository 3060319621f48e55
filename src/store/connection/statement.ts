import type pg from 'pg'

/** A prepared statement with named parameters. */
export interface Statement<Parameter extends string> {
  readonly name: string
  /** The text as Postgres reads it, with `$1` for the first parameter. */
  readonly text: string
  /** Returns the statement with a value for each of its parameters, ready to send. */
  bind(values: Readonly<Record<Parameter, unknown>>): pg.QueryConfig
}

/**
 * Declares a prepared statement whose text names its parameters (`:order_id`). The names become `$1`, `$2`, … once, when the module loads;
 * a call only lists the values. A missing or unknown value does not compile, and a module whose text and parameters differ does not load.
 */
export function statement<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  text: string,
): Statement<Parameter> {
  const resolved = { name, text: positional(name, parameters, text) }
  return { ...resolved, bind: (values) => ({ ...resolved, values: parameters.map((parameter) => values[parameter]) }) }
}

/**
 * SQL: a row for each place of these parameters, arrays of one length, with the named types. Hides their length from the planner, which
 * otherwise considers a plan for each single call cheaper than its cached plan, and plans every call, which takes longer than running it.
 */
export function unnested(arrays: Readonly<Record<string, 'text' | 'int' | 'bigint'>>): string {
  return `unnest(${Object.entries(arrays)
    .map(([parameter, type]) => `(select :${parameter}::${type}[])`)
    .join(', ')})`
}

/** SQL: any of an array of texts, whose length is hidden from the planner as in `unnested`. */
export function anyOf(parameter: string): string {
  return `any((select :${parameter}::text[])::text[])`
}

/** Tokens that may contain a colon without a parameter: literals, quoted names, comments and casts. Other ways to quote are refused. */
const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|::|:([a-z_]\w*)|\$\w*\$?|\/\*|\be'/gi
const REFUSED = /^(\$|\/\*|e')/i

function positional(name: string, parameters: readonly string[], text: string): string {
  const unused = new Set(parameters)
  const places = new Map(parameters.map((parameter, index) => [parameter, `$${index + 1}`]))
  if (places.size < parameters.length) throw new Error(`statement ${name} declares a parameter twice`)
  const resolved = text.replace(TOKEN, (token, parameter?: string) => {
    if (REFUSED.test(token)) throw new Error(`statement ${name} uses ${token}, which a statement with named parameters may not contain`)
    if (parameter === undefined) return token
    const place = places.get(parameter)
    if (place === undefined) throw new Error(`statement ${name} uses :${parameter}, which it does not declare`)
    unused.delete(parameter)
    return place
  })
  if (unused.size > 0) throw new Error(`statement ${name} declares ${[...unused].join(', ')}, which it does not use`)
  return resolved
}
