// The workflows of bench/engineRows.ts, deployed through the public API. bench/bare/ does the same by hand.

import { action, inARow, WEBHOOK } from './definitions.ts';
import { CANCELLED_ACTIONS, CONCURRENCY, DELAY_MS, type EngineRowName, STEP_MS, STEPS } from './engineRows.ts';

const MANUAL = { id: 'trigger', type: 'manual', config: {} };
const LONG_MS = 600_000;
/** Long enough that each change of the followed execution is sent separately. */
const FOLLOWED_STEP_MS = 100;

function loop(child: object, concurrency: number) {
  return [
    { id: 'loop', type: 'forEach', inputs: { items: '{{ trigger.body.items }}', concurrency } },
    { ...child, parentId: 'loop' },
  ];
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `step${index}`);

/** Its worker is that of the other side (bare/main.ts). */
export const WORKER_APP = {
  slug: 'bench-worker',
  runs: { on: 'worker', taskQueue: 'bench-bare' },
  actions: [
    {
      actionId: 'waitOnWorker',
      inputConfig: { fields: [{ key: 'ms', label: 'Milliseconds', type: 'number', required: true }] },
    },
  ],
};

export const ENGINE_DEFINITIONS: Record<EngineRowName, object> = {
  forEachInline: {
    trigger: WEBHOOK,
    nodes: loop(action('double', 'core', 'transform', { value: '{{ loop.item * 2 }}' }), 1),
    edges: inARow(['loop']),
  },
  forEachRemote: {
    trigger: WEBHOOK,
    nodes: loop(action('double', 'testing', 'succeed', { output: '{{ loop.item * 2 }}' }), CONCURRENCY),
    edges: inARow(['loop']),
  },
  steps: {
    trigger: WEBHOOK,
    nodes: ids(STEPS).map((id) => action(id, 'testing', 'wait', { ms: STEP_MS })),
    edges: inARow(ids(STEPS)),
  },
  workerSteps: {
    trigger: WEBHOOK,
    nodes: ids(STEPS).map((id) => action(id, WORKER_APP.slug, 'waitOnWorker', { ms: STEP_MS })),
    edges: inARow(ids(STEPS)),
  },
  delay: {
    trigger: WEBHOOK,
    nodes: [
      { id: 'delay', type: 'delay', inputs: { forMs: DELAY_MS } },
      action('after', 'core', 'set', { values: { done: true } }),
    ],
    edges: inARow(['delay', 'after']),
  },
  input: {
    trigger: MANUAL,
    nodes: [
      { id: 'ask', type: 'input', inputs: { fields: [{ key: 'said', label: 'Said', type: 'text', required: true }] } },
      action('next', 'testing', 'succeed', { output: true }),
    ],
    edges: inARow(['ask', 'next']),
  },
  stream: {
    trigger: MANUAL,
    nodes: [
      { id: 'ask', type: 'input', inputs: { fields: [{ key: 'said', label: 'Said', type: 'text', required: true }] } },
      ...ids(30).map((id) => action(id, 'testing', 'wait', { ms: FOLLOWED_STEP_MS })),
    ],
    edges: inARow(['ask', ...ids(30)]),
  },
  cancel: {
    trigger: MANUAL,
    nodes: ids(CANCELLED_ACTIONS).map((id) => action(id, 'testing', 'wait', { ms: LONG_MS })),
    edges: [],
  },
};
