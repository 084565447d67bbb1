/** Names of `--row` and of the routes of bench/bare. */
export const ROW_NAMES = ['inline', 'remote', 'execute', 'list'] as const;
export type RowName = (typeof ROW_NAMES)[number];

export interface Row {
  title: string;
  beside: string;
  /** Our ratio to bare: a maximum for milliseconds, a minimum for throughput. */
  goal: { p50: number; throughput: number };
  /** Requests per round and side, at 1 client and at 10. */
  requests: { one: number; ten: number };
}

export const ROWS: Record<RowName, Row> = {
  inline: {
    title: 'webhook, 3 inline steps, answer',
    beside: 'a workflow with one local activity',
    goal: { p50: 1.3, throughput: 0.7 },
    requests: { one: 70, ten: 200 },
  },
  remote: {
    title: 'webhook, 3 remote steps, answer',
    beside: 'a workflow with three activities',
    goal: { p50: 1.3, throughput: 0.75 },
    requests: { one: 40, ten: 120 },
  },
  execute: {
    title: 'execute (201)',
    beside: 'workflow.start of an empty workflow',
    goal: { p50: 1.6, throughput: 0.6 },
    requests: { one: 70, ten: 200 },
  },
  list: {
    title: 'list of 100 workflows, API key',
    beside: 'Express and pg, key looked up by its hash',
    goal: { p50: 2.5, throughput: 0.4 },
    requests: { one: 200, ten: 1_000 },
  },
};
