/** Focuses the first element in a line's rows that matches one of the selectors, after the rows have been rendered. */
export function focusLine(unitId: string, ...selectors: readonly string[]): void {
  requestAnimationFrame(() => {
    const rows = `tr[data-line="${CSS.escape(unitId)}"]`
    const found = selectors
      .map((selector) => document.querySelector<HTMLElement>(`${rows} ${selector}`))
      .find((element) => element !== null)
    found?.focus()
    if (found instanceof HTMLInputElement && found.type !== 'radio') found.select()
  })
}

/** Selectors of a counter's editor, which passes the focus on to a field, and of its price field. */
export const EDITOR = '[data-editor]'
export const PRICE = 'input[data-price]'
