import { condition, defineSignal, proxySinks, type Sinks, setHandler, workflowInfo } from '@temporalio/workflow'

/** Heard in the worker's own process: costs the engine nothing. */
export interface Progress extends Sinks {
  progress: { begun(id: string): void; done(id: string): void }
}

const { progress } = proxySinks<Progress>()

/** What the engine costs by itself: start, one signal, complete. */
export async function bareWorkflow(): Promise<void> {
  const { workflowId } = workflowInfo()
  let rung = false
  setHandler(defineSignal('wake'), () => {
    rung = true
  })
  progress.begun(workflowId)
  await condition(() => rung)
  progress.done(workflowId)
}
