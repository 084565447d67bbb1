import type { ActionManifest } from '../../../domain/app/manifest.ts';
import { icon } from '../icon.ts';

export const SET: ActionManifest = {
  actionId: 'set',
  name: 'Set fields',
  description: 'Makes an object of fields, so that later steps can name them.',
  icon: icon('<path d="M12 20h9"/><path d="M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z"/>'),
  inputConfig: {
    fields: [
      {
        key: 'values',
        label: 'Fields',
        type: 'json',
        required: true,
        help: 'An object; each value may be an expression, e.g. {"total": "{{ trigger.price * trigger.count }}"}.',
      },
    ],
  },
  outputExample: { customer: 'Ada', total: 42 },
  requiresConnection: false,
  placement: 'inline',
};

export const TRANSFORM: ActionManifest = {
  actionId: 'transform',
  name: 'Transform',
  description: 'Gives the value of one expression.',
  icon: icon(
    '<path d="m17 3 4 4-4 4"/><path d="M21 7H9a5 5 0 0 0-5 5"/><path d="m7 21-4-4 4-4"/><path d="M3 17h12a5 5 0 0 0 5-5"/>',
  ),
  inputConfig: {
    fields: [
      {
        key: 'value',
        label: 'Value',
        type: 'json',
        required: false,
        help: 'Any value, usually one expression such as {{ steps.orders.output.map(o, o.total).sum() }}.',
      },
    ],
  },
  outputExample: { names: ['Ada', 'Grace'] },
  requiresConnection: false,
  placement: 'inline',
};

export const ASSERT: ActionManifest = {
  actionId: 'assert',
  name: 'Assert',
  description: 'Fails with ASSERTION_FAILED unless a condition holds. It is not retried: nothing would change.',
  icon: icon('<path d="M12 22s8-4 8-10V5l-8-3-8 3v7c0 6 8 10 8 10z"/><path d="m9 12 2 2 4-4"/>'),
  inputConfig: {
    fields: [
      { key: 'condition', label: 'Condition', type: 'boolean', required: true, help: 'E.g. {{ trigger.amount > 0 }}.' },
      {
        key: 'message',
        label: 'Message',
        type: 'text',
        required: false,
        default: 'The condition does not hold.',
        help: 'What the failed step says.',
      },
    ],
  },
  outputExample: { passed: true },
  requiresConnection: false,
  placement: 'inline',
};
