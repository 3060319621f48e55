import type { MappedFile } from '../../contract/drop.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { moveRun, type OpenRun } from '../../store/drops/dropRun.ts'
import type { StageDeps } from './stage.ts'

/** Notes by which mapping a file is read, unless an earlier attempt of the stage has. */
export async function noteMapped({ db }: Pick<StageDeps, 'db'>, run: OpenRun, mapped: MappedFile): Promise<OpenRun> {
  if (run.mapped.some(({ file }) => file === mapped.file)) return run
  return lockedTransaction(db.pool, lockOn(`drops:${run.seller}`), (client) => moveRun(client, run, { mapped: [mapped] }))
}
