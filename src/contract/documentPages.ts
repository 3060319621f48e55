import { z } from 'zod'
import { UPLOAD_FORMATS } from './vocabulary.ts'

/** A text as its file holds it: a cell of a grid, or a run of characters on a page. */
const PageText = z
  .object({
    text: z.string().meta({ description: 'The text as it stands there, at most 256 characters.' }),
    at: z.string().meta({ description: 'Its place, as document_parse names it: B7, Buy!B7, page 2.' }),
    left: z.number().meta({ description: 'In a grid the number of its first column, on a page points from the left edge.' }),
    right: z.number().meta({ description: 'Where it ends, excluded: as left.' }),
    y: z.number().meta({ description: 'In a grid the number of its row, on a page points from the top to its baseline.' }),
    size: z.number().meta({ description: 'The height of its characters in points; 1 in a grid.' }),
    rows: z.int().optional().meta({ description: 'The rows of a merged cell, if more than one.' }),
  })
  .meta({ id: 'PageText' })

/** A sheet of a workbook, a csv, or a page of a pdf, as texts at their places. */
const DocumentPage = z
  .object({
    layout: z.enum(['grid', 'page']),
    name: z.string().optional().meta({ description: 'The name of a sheet of a workbook.' }),
    texts: z.array(PageText).meta({ description: 'Its texts, in the order in which the file has them.' }),
  })
  .meta({ id: 'DocumentPage' })
export type DocumentPage = z.infer<typeof DocumentPage>

/** GET /uploads/{upload_id}/pages: what the reader of documents saw, so that a person compares what it read with what stands there. */
export const DocumentPages = z
  .object({
    upload_id: z.string(),
    format: z.enum(UPLOAD_FORMATS),
    pages: z.array(DocumentPage).meta({ description: 'Its pages or sheets, in their order.' }),
    left_out: z.int().nonnegative().meta({ description: 'How many texts are left out, since the document has more than are kept.' }),
  })
  .meta({ id: 'DocumentPages' })
export type DocumentPages = z.infer<typeof DocumentPages>
