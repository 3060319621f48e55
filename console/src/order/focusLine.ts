/** Goes to the first of what the selectors name in the rows of a line, after they have been rendered. */
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

/** The editor of a counter, which passes the focus on, and its price. */
export const EDITOR = '[data-editor]'
export const PRICE = 'input[data-price]'
