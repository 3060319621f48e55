import type { FileMetaData } from 'hyparquet'

/**
 * Returns the time zones of the timestamp columns of a file by the name of the column. Parquet itself knows only moments in UTC; pandas and Arrow
 * (pyarrow, polars) add the zone to the metadata of the file, where it is looked for. What cannot be understood there counts as absent.
 */
export function zonesOf({ key_value_metadata: entries = [] }: FileMetaData): ReadonlyMap<string, string> {
  const textOf = (name: string) => entries.find(({ key }) => key === name)?.value
  try {
    return new Map([...arrowZones(textOf('ARROW:schema')), ...pandasZones(textOf('pandas'))])
  } catch {
    return new Map()
  }
}

interface PandasColumn {
  readonly field_name?: unknown
  readonly metadata?: { readonly timezone?: unknown } | null
}

function pandasZones(text: string | undefined): [string, string][] {
  if (text === undefined) return []
  const { columns = [] } = JSON.parse(text) as { columns?: readonly PandasColumn[] }
  return columns.flatMap(({ field_name, metadata }): [string, string][] => {
    const zone = metadata?.timezone
    return typeof field_name === 'string' && typeof zone === 'string' ? [[field_name, zone]] : []
  })
}

/** The numbers of members in Arrow's schemas of a message, a schema, a field and a timestamp (format/Message.fbs, format/Schema.fbs). */
const MESSAGE_HEADER = 2
const SCHEMA_FIELDS = 1
const FIELD = { name: 0, typeKind: 2, type: 3 }
const TIMESTAMP_ZONE = 1
const TIMESTAMP = 10
/** The bytes before the table of an encapsulated message: a mark and a length. */
const PREFIX_BYTES = 8

function arrowZones(text: string | undefined): [string, string][] {
  if (text === undefined) return []
  const message = new FlatBuffer(Buffer.from(text, 'base64').subarray(PREFIX_BYTES))
  const schema = message.member(message.root, MESSAGE_HEADER)
  return message.list(schema && message.member(schema, SCHEMA_FIELDS)).flatMap((field): [string, string][] => {
    const [name, type] = [message.text(field, FIELD.name), message.member(field, FIELD.type)]
    if (name === undefined || type === undefined || message.byte(field, FIELD.typeKind) !== TIMESTAMP) return []
    const zone = message.text(type, TIMESTAMP_ZONE)
    return zone === undefined ? [] : [[name, zone]]
  })
}

/** Reads the members of tables in a flat buffer. Errors: RangeError beyond its end. */
class FlatBuffer {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get root(): number {
    return this.#bytes.readUInt32LE(0)
  }

  /** Returns the place to which a member of a table points. */
  member(table: number, member: number): number | undefined {
    const at = this.#placeOf(table, member)
    return at === undefined ? undefined : at + this.#bytes.readUInt32LE(at)
  }

  byte(table: number, member: number): number | undefined {
    const at = this.#placeOf(table, member)
    return at === undefined ? undefined : this.#bytes.readUInt8(at)
  }

  text(table: number, member: number): string | undefined {
    const at = this.member(table, member)
    return at === undefined ? undefined : this.#bytes.toString('utf8', at + 4, at + 4 + this.#bytes.readUInt32LE(at))
  }

  /** Returns the tables of a list. */
  list(at: number | undefined): number[] {
    if (at === undefined) return []
    const places = []
    const length = this.#bytes.readUInt32LE(at)
    for (let place = at + 4; place < at + 4 + length * 4; place += 4) places.push(place + this.#bytes.readUInt32LE(place))
    return places
  }

  #placeOf(table: number, member: number): number | undefined {
    const members = table - this.#bytes.readInt32LE(table)
    const at = 4 + member * 2
    if (at >= this.#bytes.readUInt16LE(members)) return undefined
    const offset = this.#bytes.readUInt16LE(members + at)
    return offset === 0 ? undefined : table + offset
  }
}
