/** One task of a run is some milliseconds on one core, and its steps share sixteen database connections. */
export const WORKFLOW_LIMITS = {
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 40,
  // A task that comes while no poll waits is first written down by the engine: with ten polls, most of a burst were, at a tenth of its CPU.
  workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 40 },
  // A parked order need not use memory: waking one that is out of the cache replays about a dozen events. The size is far above the number
  // of concurrent tasks, since a run that is evicted in the middle of a step loses its task's time limit.
  maxCachedWorkflows: 500,
  // How long a run's task waits for a worker that has died.
  stickyQueueScheduleToStartTimeout: '1 s',
} as const
