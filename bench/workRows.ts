import type { SampledRow } from './goal.ts';

/** Queues and entities. Names of `--row`. */
export const WORK_ROW_NAMES = [
  'claimOne',
  'claimFifty',
  'claimFiftyOfSame',
  'drain',
  'ready',
  'posted',
  'itemPage',
  'itemSearch',
  'itemStats',
  'import',
  'importToSame',
  'entityPage',
] as const;
export type WorkRowName = (typeof WORK_ROW_NAMES)[number];

export const CLIENTS = 10;
/** Size of the queue whose items are claimed, listed and searched. */
export const QUEUE_ITEMS = 100_000;
export const CLAIMS = {
  claimOne: { limit: 1, requests: 200, table: 'bare_items' },
  claimFifty: { limit: 50, requests: 60, table: 'bare_items' },
  claimFiftyOfSame: { limit: 50, requests: 60, table: 'same_items' },
} as const;
export const DRAINED_ITEMS = 5_000;
export const BATCH_SIZE = 10;
export const BATCHES_AT_ONCE = 20;
export const READS = 100;
export const PAGE_SIZE = 50;
/** Occurs in one of a thousand items. */
export const SEARCHED = 'needle-007';
export const IMPORTED_ROWS = 50_000;
export const ENTITIES = 1_000_000;

export const WORK_ROWS: Record<WorkRowName, SampledRow> = {
  claimOne: {
    title: `claim of 1 of ${QUEUE_ITEMS} items`,
    unit: 'a second',
    beside:
      'one UPDATE … FOR UPDATE SKIP LOCKED of a table with the indexes that a claim needs, key looked up by its hash',
    goals: [{ of: 'ratio', atLeast: 0.6 }],
    samples: 1,
  },
  claimFifty: {
    title: `claim of 50 of ${QUEUE_ITEMS} items`,
    unit: 'a second',
    beside: 'the same',
    goals: [{ of: 'ratio', atLeast: 0.6 }],
    samples: 1,
  },
  claimFiftyOfSame: {
    title: `claim of 50 of ${QUEUE_ITEMS} items, of the same table`,
    unit: 'a second',
    beside: 'the same of a table with all columns and indexes of ours, by our index of ready items',
    goals: [{ of: 'ratio', atLeast: 0.6 }],
    samples: 1,
  },
  drain: {
    title: `queue of ${DRAINED_ITEMS} items drained, one inline step for each batch of ${BATCH_SIZE}`,
    unit: 'items a second',
    beside: `workflow.start of one local activity for each batch, ${BATCHES_AT_ONCE} at once`,
    goals: [{ of: 'ratio', atLeast: 0.7 }],
    samples: 1,
  },
  ready: {
    title: 'item ready → its step begins',
    unit: 'ms',
    beside: 'workflow.start → its activity begins',
    goals: [{ of: 'ratio', atMost: 1.5 }],
    samples: 20,
  },
  posted: {
    title: 'item posted → its step begins',
    unit: 'ms',
    beside: 'workflow.start posted → its activity begins, key looked up by its hash',
    goals: [{ of: 'ratio', atMost: 1.5 }],
    samples: 20,
  },
  itemPage: {
    title: `page of ${PAGE_SIZE} of ${QUEUE_ITEMS} items, with the total`,
    unit: 'a second',
    beside: 'Express and pg: the same page and count(*)',
    goals: [{ of: 'ratio', atLeast: 0.5 }],
    samples: 1,
  },
  itemSearch: {
    title: `search in ${QUEUE_ITEMS} items`,
    unit: 'a second',
    beside: 'Express and pg: ILIKE by the same trigram index',
    goals: [{ of: 'ratio', atLeast: 0.5 }],
    samples: 1,
  },
  itemStats: {
    title: `statistics of ${QUEUE_ITEMS} items`,
    unit: 'a second',
    beside: 'Express and pg: count, average and rate with GROUP BY',
    goals: [{ of: 'ratio', atLeast: 0.5 }],
    samples: 1,
  },
  import: {
    title: `import of ${IMPORTED_ROWS} rows`,
    unit: 'rows a second',
    beside: 'Ajv over all rows, then COPY into a table without indexes but its key',
    goals: [{ of: 'ratio', atLeast: 0.4 }],
    samples: 1,
    isLong: true,
  },
  importToSame: {
    title: `import of ${IMPORTED_ROWS} rows, into the same table`,
    unit: 'rows a second',
    beside: 'Ajv over all rows, then COPY into a table with all columns and indexes of ours',
    goals: [{ of: 'ratio', atLeast: 0.4 }],
    samples: 1,
    isLong: true,
  },
  entityPage: {
    title: `page of ${PAGE_SIZE} of ${ENTITIES} entities of one type, with the total`,
    unit: 'ms',
    beside: 'Express and pg: the same page and count(*)',
    goals: [{ of: 'ratio', atMost: 2 }],
    samples: 10,
    isLong: true,
  },
};
