import type { ActionManifest, AppManifest } from '../../../domain/app/manifest.ts';
import { A_COUNT, A_NUMBER, A_TEXT, fixed } from '../../../domain/app/outputSchema.ts';
import { icon } from '../icon.ts';

const SUCCEED: ActionManifest = {
  actionId: 'succeed',
  name: 'Succeed',
  description: 'Returns its input.',
  icon: icon('<circle cx="12" cy="12" r="9"/><path d="m8 12 3 3 5-6"/>'),
  inputConfig: { fields: [{ key: 'output', label: 'Output', type: 'json', required: false, help: 'Any value.' }] },
  outputExample: { ok: true },
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'remote',
};

const FAIL: ActionManifest = {
  actionId: 'fail',
  name: 'Fail',
  description: 'Fails with TEST_FAILURE: the first attempts, or always.',
  icon: icon('<circle cx="12" cy="12" r="9"/><path d="m9 9 6 6"/><path d="m15 9-6 6"/>'),
  inputConfig: {
    fields: [
      {
        key: 'times',
        label: 'Times',
        type: 'number',
        required: false,
        help: 'How many attempts fail; default: all.',
      },
      { key: 'message', label: 'Message', type: 'text', required: false, default: 'This step fails on request.' },
      { key: 'retryable', label: 'Retryable', type: 'boolean', required: false, default: true },
    ],
  },
  outputExample: { attempt: 3 },
  outputSchema: fixed({ attempt: A_COUNT }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'remote',
};

const WAIT: ActionManifest = {
  actionId: 'wait',
  name: 'Wait',
  description: 'Waits for a time; ends immediately when cancelled.',
  icon: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  inputConfig: { fields: [{ key: 'ms', label: 'Milliseconds', type: 'number', required: true }] },
  outputExample: { waitedMs: 5 },
  outputSchema: fixed({ waitedMs: A_NUMBER }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'remote',
};

const PAYLOAD: ActionManifest = {
  actionId: 'payload',
  name: 'Payload',
  description: 'Returns a text of this many bytes.',
  icon: icon(
    '<path d="m12 2 9 5v10l-9 5-9-5V7z"/><path d="m7.5 4.5 9 5"/><path d="m3 7 9 5 9-5"/><path d="M12 12v10"/>',
  ),
  inputConfig: {
    fields: [{ key: 'bytes', label: 'Bytes', type: 'number', required: true, help: 'At most 104857600.' }],
  },
  outputExample: { data: 'xxxx' },
  outputSchema: fixed({ data: A_TEXT }),
  effect: 'read',
  repeatable: true,
  requiresConnection: false,
  permissions: [],
  placement: 'remote',
};

export const TESTING: AppManifest = {
  appId: 'testing',
  name: 'Testing',
  description: 'Steps with a fixed behaviour, for tests, benchmarks and failure drills.',
  icon: icon(
    '<path d="M9 3h6"/><path d="M10 3v6l-5.5 9.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3"/><path d="M7.5 15h9"/>',
  ),
  categories: ['Development'],
  connectionTypes: [],
  actions: [SUCCEED, FAIL, WAIT, PAYLOAD],
  triggers: [],
};
