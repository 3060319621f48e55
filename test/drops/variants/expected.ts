import type { DropFileType } from '../../../src/contract/vocabulary/drops.ts'

/** A file of this folder, and what becomes of it. */
export interface Variant {
  readonly file: string
  readonly type: DropFileType
  readonly what: string
  /** The members that matter of each entry that is taken, in order. */
  readonly taken?: readonly Readonly<Record<string, unknown>>[]
  readonly refused?: readonly (readonly [row: number, message: string])[]
  readonly warned?: readonly (readonly [row: number, message: string])[]
}

const notCalculated = (cell: string) =>
  `The formula in ${cell} is not calculated; open the workbook, calculate it and save it, or write the value itself.`

export const VARIANTS: readonly Variant[] = [
  {
    ...{
      file: 'formulas-xlsxwriter.xlsx',
      type: 'rate_cards',
      what: 'formulas with 0 in a workbook that asks for a calculation are refused',
    },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-openpyxl.xlsx', type: 'rate_cards', what: 'formulas without a value are refused' },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{
      file: 'formulas-zero.xlsx',
      type: 'rate_cards',
      what: 'formulas that all have 0 are refused where nothing shows that they were calculated',
    },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-zero-libreoffice.xlsx', type: 'rate_cards', what: 'zeros are refused that another program saved as they were' },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-libreoffice.xlsx', type: 'rate_cards', what: 'formulas of a program that calculates have their values, also 0' },
    taken: [{ gross_rate_unit: 2700 }, { gross_rate_unit: 0 }, { gross_rate_unit: 15 }],
  },
]
