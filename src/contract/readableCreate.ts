import { z } from 'zod'
import { Attachment, CreateOrder, OrderDocument } from './createOrder.ts'
import { LineItem, RateCited } from './lineItem.ts'
import { ProposalRequest } from './proposalRequest.ts'
import { LINES_PER_ORDER } from './vocabulary/bounds.ts'

/** A line whose members may each be missing or malformed. */
export type ReadableLine = Readable<Omit<LineItem, 'rate'>> & { rate?: Readable<RateCited> | undefined }

/** The readable part of a create request, which the rules check. A valid request is readable too. */
export type ReadableCreate = Readable<Omit<CreateOrder, 'line_items' | 'attachments' | 'document' | 'request'>> & {
  line_items?: readonly ReadableLine[] | undefined
  attachments?: readonly Readable<Attachment>[] | undefined
  document?: Readable<NonNullable<CreateOrder['document']>> | undefined
  request?: Readable<ProposalRequest> | undefined
}

type Readable<T> = { [Member in keyof T]?: T[Member] | undefined }

/**
 * Returns the well-formed members of a refused body, with list entries at their indexes, so the rules can add their faults to those of the schema:
 * one reply lists all faults (choices, Error envelope).
 */
export function readableCreate(sent: unknown): ReadableCreate {
  const { line_items, attachments, document, request } = membersOf(sent)
  return {
    ...readable(CreateOrder.shape, sent),
    ...(line_items === undefined ? {} : { line_items: entriesOf(line_items).map(readableLine) }),
    ...(attachments === undefined ? {} : { attachments: entriesOf(attachments).map((entry) => readable(Attachment.shape, entry)) }),
    ...(document === undefined ? {} : { document: readable(OrderDocument.shape, document) }),
    ...(request === undefined ? {} : { request: readable(ProposalRequest.shape, request) }),
  }
}

function readableLine(sent: unknown): ReadableLine {
  const { rate } = membersOf(sent)
  return { ...readable(LineItem.shape, sent), ...(rate === undefined ? {} : { rate: readable(RateCited.shape, rate) }) }
}

function entriesOf(sent: unknown): unknown[] {
  return Array.isArray(sent) ? sent.slice(0, LINES_PER_ORDER) : []
}

function readable<Shape extends z.core.$ZodLooseShape>(shape: Shape, sent: unknown): Partial<z.output<z.ZodObject<Shape>>> {
  const members = membersOf(sent)
  const read: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const result = z.safeParse(schema as z.ZodType, members[name])
    if (result.success && result.data !== undefined) read[name] = result.data
  }
  return read as Partial<z.output<z.ZodObject<Shape>>>
}

function membersOf(sent: unknown): Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? { ...sent } : {}
}
