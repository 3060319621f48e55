/** What these pages read of the OpenAPI document. */
export interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

export interface Operation {
  readonly method: string
  /** Below /v1, with parameters in braces. */
  readonly path: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> }>
>

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly format?: string
  readonly default?: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns every operation in the order of the document. */
export function operationsOf({ paths }: Described): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method]
      return found === undefined ? [] : [{ ...found, method: method.toUpperCase(), path }]
    }),
  )
}

/** Returns the tags that operations have; events have tags too. */
export function groupsOf(
  { tags }: Described,
  operations: readonly Operation[],
): { name: string; description: string; operations: Operation[] }[] {
  const groups = tags.map((tag) => ({ ...tag, operations: operations.filter((each) => each.tags.includes(tag.name)) }))
  return groups.filter((group) => group.operations.length > 0)
}

/** Returns the first example of a content; undefined if it has none. */
export function exampleOf(content: Content | undefined): { readonly type: string; readonly value: unknown } | undefined {
  for (const [type, { examples }] of Object.entries(content ?? {})) {
    const value = Object.values(examples ?? {})[0]?.value
    if (value !== undefined) return { type, value }
  }
  return undefined
}

/** Returns the name of what a reference leads to. */
export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ref
}
