import type { SampledRow } from './goal.ts';

/** Engine work measured by consecutive samples. Names of `--row`. */
export const ENGINE_ROW_NAMES = [
  'forEachInline',
  'forEachRemote',
  'steps',
  'workerSteps',
  'delay',
  'input',
  'stream',
  'cancel',
] as const;
export type EngineRowName = (typeof ENGINE_ROW_NAMES)[number];

export const ITEMS = 1_000;
export const CONCURRENCY = 50;
export const STEPS = 40;
export const STEP_MS = 10;
export const DELAY_MS = 1_000;
export const FOLLOWERS = 100;
export const CANCELLED_ACTIONS = 5;

export const ENGINE_ROWS: Record<EngineRowName, SampledRow> = {
  forEachInline: {
    title: `forEach over ${ITEMS} items, one inline child`,
    unit: 'ms an item',
    beside: 'a loop of local activities in a workflow',
    goals: [
      { of: 'ours', atMost: 3 },
      { of: 'ratio', atMost: 1.3 },
    ],
    samples: 2,
  },
  forEachRemote: {
    title: `forEach over ${ITEMS} items, one remote child, ${CONCURRENCY} at once`,
    unit: 'items a second',
    beside: `${CONCURRENCY} lanes of activities in a workflow`,
    goals: [{ of: 'ratio', atLeast: 0.7 }],
    samples: 1,
  },
  steps: {
    title: `${STEPS} steps of ${STEP_MS} ms in a row`,
    unit: 'ms a step, beyond its own',
    beside: 'as many activities in a row',
    goals: [{ of: 'ratio', atMost: 1.3 }],
    samples: 3,
  },
  workerSteps: {
    title: `${STEPS} steps of ${STEP_MS} ms in a row on a customer's worker`,
    unit: 'ms a step',
    beside: 'the same activity of the same worker, called from a workflow',
    goals: [{ of: 'ratio', atMost: 1.15 }],
    samples: 3,
  },
  delay: {
    title: `delay of ${DELAY_MS} ms`,
    unit: 'ms late',
    beside: 'sleep between two local activities',
    goals: [{ of: 'ratio', atMost: 1.2 }],
    samples: 5,
  },
  input: {
    title: 'input submitted → next step running',
    unit: 'ms',
    beside: 'a signal, then an activity',
    goals: [{ of: 'ratio', atMost: 1.5 }],
    samples: 20,
  },
  stream: {
    title: `change → event at the client, ${FOLLOWERS} followers`,
    unit: 'ms',
    beside: 'nothing',
    goals: [{ of: 'ours', atMost: 50 }],
    samples: 1,
  },
  cancel: {
    title: `cancel → ${CANCELLED_ACTIONS} running actions stopped`,
    unit: 'ms',
    beside: 'cancel of a workflow with as many activities',
    goals: [{ of: 'ratio', atMost: 1.5 }],
    samples: 7,
  },
};
