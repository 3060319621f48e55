import type { DropFileType } from '../../../contract/vocabulary/drops.ts'
import type { EntryOutput, EntryReader } from './entryReader.ts'
import type { ReadTask } from './messages.ts'
import { readAvails } from './readAvails.ts'
import { readCatalog } from './readCatalog.ts'
import { readPosts } from './readPosts.ts'
import { readRateCards } from './readRateCards.ts'

/** The reader for each file type. */
export const ENTRY_READERS: Readonly<Record<DropFileType, (task: ReadTask, output: EntryOutput) => EntryReader>> = {
  catalog: (_, output) => readCatalog(output),
  rate_cards: readRateCards,
  avails: readAvails,
  delivery_posts: (_, output) => readPosts(output),
}
