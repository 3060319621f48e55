import { defineSignal } from '@temporalio/workflow'

/** "Look again": says nothing else, so that a lost or a doubled one does no harm. */
export const wake = defineSignal('wake')
