import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { Fault } from '../../api/fault.ts'
import { attachmentContent, type Order } from '../../api/queries/orders.ts'
import { sourcePages } from '../../api/queries/uploads.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import classes from './SourcePane.module.css'
import { columnName, type Mark, markedTexts, rowsOf, type SourcePage, type SourceText } from './source.ts'

interface SourcePaneProps {
  readonly order: Order
  /** The values whose places are shown. */
  readonly marks: readonly Mark[]
}

/** Shows the document as its reader saw it, with the places of values marked. */
export function SourcePane({ order, marks }: SourcePaneProps) {
  const uploadId = order.document?.upload_id ?? ''
  const { data, error, isPending } = useQuery(sourcePages(uploadId))
  const pages = useMemo(() => data?.pages ?? [], [data])
  const marked = useMemo(() => markedTexts(pages, marks), [pages, marks])
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    if (marked.size > 0) pane.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }, [marked])
  const isGone = error instanceof Fault && error.code === 'INVALID_STATE'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section ref={pane} className={classes.pane} aria-label="The document" tabIndex={0}>
      <p className={classes.head}>
        The document as it was read,{' '}
        <Anchor href={attachmentContent('buyer', order.order_id, uploadId)} download size="sm" underline="always">
          as a file
        </Anchor>
      </p>
      {isPending && <Loading />}
      {isGone ? <p className={classes.head}>Its texts are kept for a week; the file has them all.</p> : <FaultAlert error={error} />}
      {pages.map((page, index) =>
        page.layout === 'grid' ? (
          <Sheet key={page.name ?? index} page={page} marked={marked} />
        ) : (
          <PaperPage key={page.texts[0]?.at ?? index} page={page} number={index + 1} marked={marked} />
        ),
      )}
      {data !== undefined && data.left_out > 0 && (
        <p className={classes.head}>{countText(data.left_out, 'more text')} in the file, which are not shown.</p>
      )}
    </section>
  )
}

function Sheet({ page, marked }: { page: SourcePage; marked: ReadonlySet<SourceText> }) {
  const { rows, columns } = useMemo(() => rowsOf(page), [page])
  const at = Array.from({ length: columns }, (_, index) => index)
  return (
    <table className={classes.sheet}>
      <caption className={page.name === undefined ? classes.hidden : ''}>{page.name ?? 'The sheet'}</caption>
      <thead>
        <tr>
          <td />
          {at.map((index) => (
            <th key={index} scope="col">
              {columnName(index)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, cells }) => (
          <tr key={number}>
            <th scope="row">{number}</th>
            {at.map((index) => {
              const text = cells.get(index)
              return (
                <td key={index} {...(text !== undefined && marked.has(text) && { 'data-marked': true })}>
                  {text?.text}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A page of a pdf: its texts at their places, in a size that fits the pane. */
function PaperPage({ page, number, marked }: { page: SourcePage; number: number; marked: ReadonlySet<SourceText> }) {
  const { texts } = page
  const width = texts.reduce((max, { right }) => Math.max(max, right), 0) + MARGIN
  const height = texts.reduce((max, { y }) => Math.max(max, y), 0) + MARGIN
  return (
    <figure className={classes.paper} aria-label={`Page ${number}`}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`The texts of page ${number}`}>
        {texts.map((text) => (
          <g key={`${text.y} ${text.left} ${text.text}`}>
            {marked.has(text) && (
              <rect
                data-marked
                className={classes.mark}
                x={text.left - 2}
                y={text.y - text.size}
                width={text.right - text.left + 4}
                height={text.size * 1.3}
              />
            )}
            <text x={text.left} y={text.y} fontSize={text.size * 0.92} {...lengthOf(text)}>
              {text.text}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}

const MARGIN = 24

/** Another font is wider or narrower: a text takes the width that it has in the document. */
function lengthOf({ left, right, text }: SourceText) {
  return text.length > 1 && right > left ? { textLength: right - left, lengthAdjust: 'spacingAndGlyphs' as const } : {}
}
