/** A workflow task takes a few milliseconds on one core, and its steps share sixteen database connections. */
export const WORKFLOW_LIMITS = {
  // Twenty more than there are polls: each poll occupies the place of a task, and an eager start needs a place that is free.
  maxConcurrentWorkflowTaskExecutions: 60,
  maxConcurrentLocalActivityExecutions: 40,
  // Temporal first stores a task that no poll is waiting for. With ten polls it stored most of a burst, which took a tenth of its CPU.
  workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 40 },
  // A parked order need not use memory: waking one that has left the cache replays about a dozen events, and one in the cache takes some
  // 0.3 MiB. The size is several times the number of concurrent tasks, since a run that is evicted during a step exceeds its task's time
  // limit.
  maxCachedWorkflows: 200,
  // How long a run's task waits for a dead worker before another may take it.
  stickyQueueScheduleToStartTimeout: '1 s',
} as const
