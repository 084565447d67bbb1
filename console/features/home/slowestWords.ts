export const SLOWEST = {
  title: 'Slowest, last 24 hours',
  workflow: 'Workflow',
  half: 'p50',
  most: 'p95',
  means: 'Durations from start to end; “was” is the day before.',
  was: (text: string) => `was ${text}`,
  leftOut: (count: string) => `Only the 100 workflows with the most executions; ${count} more are not compared.`,
};
