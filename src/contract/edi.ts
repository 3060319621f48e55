import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Name, NextCursor, Stamp } from './scalars.ts'
import { UnknownMember } from './unknownMembers.ts'
import { EDI_ABSENCES, EDI_DOCUMENTS, EDI_FORMATS, EDI_OUTCOMES, EDI_STATUSES, EDI_STUCK_REASONS, EDI_WARNINGS } from './vocabulary/edi.ts'

/** One attempt to send a mail. Only the codes of the server's reply are kept, never its text. */
export const EdiAttempt = z
  .object({
    at: Stamp,
    outcome: z.enum(EDI_OUTCOMES),
    code: z.int().optional(),
    enhanced: z.string().optional(),
    latency_ms: z.int().nonnegative(),
  })
  .meta({ id: 'EdiAttempt' })
export type EdiAttempt = z.infer<typeof EdiAttempt>

/** A warning for the receiver of a document. */
export const EdiWarning = z.object({ code: z.enum(EDI_WARNINGS), message: z.string() }).meta({ id: 'EdiWarning' })
export type EdiWarning = z.infer<typeof EdiWarning>

/** A mail with the document of an order, as both sides of the order read it (additive; choices, Order documents). */
export const EdiMail = z
  .object({
    message_id: z.string(),
    document: z.enum(EDI_DOCUMENTS),
    document_id: z.string(),
    seq: z.int().positive(),
    to: z.string().nullable(),
    status: z.enum(EDI_STATUSES),
    status_reason: z.string().optional(),
    stuck: z.enum(EDI_STUCK_REASONS).nullable(),
    message_ref: z.string().nullable(),
    resend_of: z.string().optional(),
    filename: z.string().nullable(),
    sha256: z.string().nullable(),
    warnings: z.array(z.union([EdiWarning, UnknownMember])),
    created_at: Stamp,
    due_at: Stamp.optional(),
    sent_at: Stamp.optional(),
    bounced_at: Stamp.optional(),
    attempts: z.array(EdiAttempt),
  })
  .meta({ id: 'EdiMail' })
export type EdiMail = z.infer<typeof EdiMail>

export const EdiMailList = z
  .object({ items: z.array(EdiMail), next_cursor: NextCursor, reason: z.enum(EDI_ABSENCES).nullable() })
  .meta({ id: 'EdiMailList' })
export type EdiMailList = z.infer<typeof EdiMailList>

/** GET …/edi: newest first. */
export const EdiListQuery = z.strictObject(listQuery({ usual: 20, max: 100 }))
export type EdiListQuery = z.infer<typeof EdiListQuery>

/** GET …/edi/{message_id}/document. */
export const EdiDocumentQuery = z.strictObject({ format: z.enum(EDI_FORMATS).optional() })
export type EdiDocumentQuery = z.infer<typeof EdiDocumentQuery>

/** POST …/edi: without `message_id`, sends the document of the order's current state again. */
export const ResendEdi = z.object({ message_id: Name.optional() }).meta({ id: 'ResendEdi' })
export type ResendEdi = z.infer<typeof ResendEdi>
