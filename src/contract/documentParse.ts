import { z } from 'zod'
import { RateRead } from './lineItem.ts'
import { Period } from './scalars.ts'
import { LAYOUT_FAMILIES, PROOF_LEVELS, QUESTION_KINDS, UPLOAD_FORMATS } from './vocabulary.ts'

/** Text of a document, with its page or cell. */
const ReadValue = z.object({ read: z.string(), at: z.string() }).meta({ id: 'ReadValue' })

/** A line as the document states it. Members that the document does not state are absent. */
export const ReadLine = z
  .object({
    product: ReadValue.optional(),
    network: ReadValue.optional(),
    period: ReadValue.extend({ value: Period.optional() }).optional(),
    spot_length: ReadValue.optional(),
    units: ReadValue.optional(),
    impressions_goal: ReadValue.optional(),
    unit_cost: ReadValue.optional(),
    cpm: ReadValue.optional(),
    buy_type: ReadValue.optional(),
    market_class: ReadValue.optional(),
    advertiser_class: ReadValue.optional(),
    clearance_tier: ReadValue.optional(),
    row: ReadValue.optional().meta({ description: 'Of an order for airtime: the number or the name of its row.' }),
    program: ReadValue.optional().meta({ description: 'Of an order for airtime: the program, as its row says it.' }),
    days: ReadValue.optional().meta({ description: 'Of an order for airtime: the weekdays on which it airs.' }),
    start: ReadValue.optional().meta({
      description: 'Of an order for airtime: the start of its window in the broadcast day, 06:00 to 30:00.',
    }),
    end: ReadValue.optional().meta({ description: 'Of an order for airtime: the end of its window in the broadcast day, 06:00 to 30:00.' }),
    basis: ReadValue.optional().meta({ description: 'Of an order for airtime: gross, net or unknown, what its price is.' }),
    kind: ReadValue.optional().meta({ description: 'Of an order for airtime: paid or bonus.' }),
  })
  .meta({ id: 'ReadLine' })

/** What may be read wrong about a line, and the member of a resolution that settles it (choices, A row that is torn). */
const LineDoubt = z.object({ field: z.string(), message: z.string(), question_id: z.string().optional() }).meta({ id: 'LineDoubt' })
export type LineDoubt = z.infer<typeof LineDoubt>

/** A line of a document, as read and as a confirm would order it; null while it has unresolved values. */
export const DocumentLine = z
  .object({
    line: z.int().positive(),
    read: ReadLine,
    doubts: z.array(LineDoubt).optional(),
    line_item: z
      .object({
        product_id: z.string(),
        period: Period,
        units: z.int().positive(),
        num_requested: z.int().positive().optional(),
        spot_length: z.int().positive(),
        rate: RateRead,
      })
      .nullable(),
  })
  .meta({ id: 'DocumentLine' })
export type DocumentLine = z.infer<typeof DocumentLine>

/** The reason why a line cannot be ordered: the value read, its place, and published alternatives. */
export const UnresolvedValue = z
  .object({
    line: z.int().positive(),
    field: z.string(),
    read: z.string().nullable(),
    at: z.string().nullable(),
    message: z.string(),
    published: z.array(z.looseObject({})),
  })
  .meta({ id: 'UnresolvedValue' })
export type UnresolvedValue = z.infer<typeof UnresolvedValue>

/** A total that the document states, of some lines or (without `lines`) of all, with the computed total of those lines. */
const DocumentTotal = z
  .object({
    of: z.enum(['gross', 'units']),
    lines: z.array(z.int().positive()).optional(),
    read: z.string(),
    at: z.string(),
    stated: z.number(),
    computed: z.number(),
    fees: z.number().optional().meta({ description: 'The part of computed that is of fees, which no line books.' }),
    ties: z.boolean(),
  })
  .meta({ id: 'DocumentTotal' })
export type DocumentTotal = z.infer<typeof DocumentTotal>

/** A stated total as an equation: `cells` holds its place, then the places of what it sums. A confirm acknowledges it by `equation_id`. */
const DocumentEquation = z
  .object({
    equation_id: z.string(),
    of: z.enum(['gross', 'units']),
    lines: z.array(z.int().positive()).optional(),
    cells: z.array(z.string()),
    stated: z.number(),
    computed: z.number(),
    ties: z.boolean(),
  })
  .meta({ id: 'DocumentEquation' })
export type DocumentEquation = z.infer<typeof DocumentEquation>

/** What the totals of a document prove of its reading (choices, Proof). */
const DocumentProof = z.object({ level: z.enum(PROOF_LEVELS), equations: z.array(DocumentEquation) }).meta({ id: 'DocumentProof' })
export type DocumentProof = z.infer<typeof DocumentProof>

/** An answer to a question: which of its lines stay ordered, and what lines state then. */
const QuestionChoice = z
  .object({
    choice: z.string(),
    text: z.string(),
    orders: z.array(z.int().positive()).optional().meta({ description: 'The lines that stay ordered; without it, all of them.' }),
    product_id: z.string().optional(),
    read: z
      .array(
        z.object({
          line: z.int().positive(),
          period: ReadLine.shape.period,
          units: ReadLine.shape.units,
          unit_cost: ReadLine.shape.unit_cost,
          basis: ReadLine.shape.basis,
        }),
      )
      .optional()
      .meta({ description: 'What lines of the question state with this answer.' }),
  })
  .meta({ id: 'QuestionChoice' })

/** What a person is asked about a document once for all lines that it concerns (choices, Questions about a document). */
export const DocumentQuestion = z
  .object({
    question_id: z.string(),
    kind: z.enum(QUESTION_KINDS),
    message: z.string(),
    at: z.string(),
    lines: z.array(z.int().positive()),
    choices: z.array(QuestionChoice),
    label: z.string().optional().meta({ description: 'The words by which the answer is remembered for documents with the same headings.' }),
    proposed: z.string().optional().meta({ description: 'The choice that was remembered. It is not applied until a confirm sends it.' }),
  })
  .meta({ id: 'DocumentQuestion' })
export type DocumentQuestion = z.infer<typeof DocumentQuestion>

/** The result of reading a document order's document (choices, States: document_parse). */
export const DocumentParse = z
  .object({
    name: z.literal('document_parse'),
    seq: z.int().positive(),
    upload_id: z.string(),
    format: z.enum(UPLOAD_FORMATS),
    lines: z.array(DocumentLine),
    unresolved: z.array(UnresolvedValue),
    totals: z.array(DocumentTotal),
    proof: DocumentProof.optional(),
    layout: z
      .object({ family: z.enum(LAYOUT_FAMILIES).optional(), fingerprint: z.string() })
      .optional()
      .meta({ description: 'The headings of the document: documents with the same ones have the same fingerprint.' }),
    questions: z.array(DocumentQuestion).optional(),
    ignored: z
      .array(z.object({ row: z.string(), at: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'Rows that order nothing, and why: total, canceled, unknown.' }),
  })
  .meta({ id: 'DocumentParse' })
export type DocumentParse = z.infer<typeof DocumentParse>
