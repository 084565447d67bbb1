import type { SampledRow } from './goal.ts';

/** The checker of definitions, called without HTTP. Names of `--row`. */
export const CHECK_ROW_NAMES = ['check'] as const;
export type CheckRowName = (typeof CHECK_ROW_NAMES)[number];

export const CHECKED_NODES = 200;

export const CHECK_ROWS: Record<CheckRowName, SampledRow> = {
  check: {
    title: `check of ${CHECKED_NODES} nodes with a queue, an entity type, variables and code`,
    unit: 'ms',
    beside: 'their expressions compiled alone',
    goals: [{ of: 'ours', atMost: 50 }],
    samples: 20,
  },
};
