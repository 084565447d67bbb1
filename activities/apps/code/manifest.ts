import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';

/** Code with at most this time limit runs inline in a region; otherwise it gets an activity of its own. */
export const INLINE_UP_TO_MS = 200;
export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_MEMORY_MB = 128;

const JAVASCRIPT: ActionManifest = {
  actionId: 'javascript',
  name: 'Run JavaScript',
  description: 'Runs a function body in a sandbox: input in, returned value out.',
  inputConfig: {
    fields: [
      {
        key: 'code',
        label: 'Code',
        type: 'longText',
        required: true,
        help:
          'The body of an async function: `input` is the value below, `return` gives the output (JSON), `console` ' +
          'is kept with the step. No network, files, timers or modules. Math.random is the same in each attempt of a ' +
          'step; the clock stands still at the time at which the attempt began, in UTC. Give data as input: an ' +
          'expression inside the code would become part of the code.',
      },
      { key: 'input', label: 'Input', type: 'json', required: false, help: 'Any value.' },
      {
        key: 'timeoutMs',
        label: 'Time limit (ms)',
        type: 'number',
        required: false,
        default: DEFAULT_TIMEOUT_MS,
        help: `At most CODE_MAX_TIMEOUT_MS. With a constant of at most ${INLINE_UP_TO_MS} it runs inline, which starts faster.`,
      },
      {
        key: 'memoryLimitMb',
        label: 'Memory limit (MiB)',
        type: 'number',
        required: false,
        default: DEFAULT_MEMORY_MB,
        help: 'At most CODE_MAX_MEMORY_MB.',
      },
    ],
    editors: { code: 'javascript' },
  },
  outputExample: { total: 42 },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: { inlineUpToMs: INLINE_UP_TO_MS },
  usesKey: true,
};

export const CODE: AppManifest = {
  appId: 'code',
  name: 'Code',
  description: 'Runs your own code if no action fits.',
  icon: icon('<path d="m8 7-5 5 5 5"/><path d="m16 7 5 5-5 5"/><path d="m14 4-4 16"/>'),
  categories: ['Data', 'Development'],
  connectionTypes: [],
  actions: [JAVASCRIPT],
  triggers: [],
};
