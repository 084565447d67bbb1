import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../domain/json.ts';
import { action, control } from '../setup/workspace/graph.ts';
import { completed, failed, type Made, type Maker, onError, plainOrError } from './made.ts';

const FIELDS: JsonObject[] = [{ key: 'said', label: 'Said', type: 'text', required: true }];
const EXPIRES_MS = 150;

/** All kinds except loops and sub-workflows. */
export const plainNodes: fc.Arbitrary<Maker>[] = [
  fc.constant((id) => ({
    node: action(id, 'core.transform', { value: id }),
    handles: [undefined],
    outcome: completed(id),
    output: id,
  })),
  fc.constant((id) => ({
    node: action(id, 'testing.succeed', { output: id }),
    handles: [undefined],
    outcome: completed(id),
    output: id,
  })),
  fc.tuple(onError, fc.boolean()).map(([how, remote]) => (id) => ({
    node: remote
      ? action(id, 'testing.fail', { retryable: false }, { onError: how })
      : action(id, 'core.assert', { condition: false }, { onError: how }),
    handles: plainOrError(how),
    outcome: failed(id),
  })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 3 }), onError)
    .map(([times, attempts, how]) => (id) => ({
      node: action(
        id,
        'testing.fail',
        { times },
        {
          onError: how,
          retry: { maximumAttempts: attempts, initialIntervalMs: 20 },
        },
      ),
      handles: plainOrError(how),
      ...(times < attempts ? { outcome: completed(id), output: { attempt: times + 1 } } : { outcome: failed(id) }),
    })),
  fc.boolean().map((result) => (id) => ({
    node: control(id, 'condition', { condition: result }),
    handles: ['true', 'false'],
    outcome: completed(id, String(result)),
    output: { result },
  })),
  fc.constantFrom('a', 'b', 'default').map((name) => (id) => ({
    node: control(id, 'switch', {
      value: name,
      cases: [
        { name: 'a', equals: 'a' },
        { name: 'b', equals: 'b' },
      ],
    }),
    handles: ['a', 'b', 'default'],
    outcome: completed(id, name),
    output: { case: name },
  })),
  fc
    .constantFrom<'answer' | 'wait' | 'expire' | 'cancel'>(
      'answer',
      'answer',
      'answer',
      'answer',
      'wait',
      'expire',
      'cancel',
    )
    .map((what) => (id) => questionOf(id, what)),
  fc.integer({ min: 0, max: 300 }).map((forMs) => (id) => ({
    node: control(id, 'delay', { forMs }),
    handles: [undefined],
    outcome: completed(id),
    output: { resumedAt: expect.any(String) },
  })),
];

export const stops: fc.Arbitrary<Maker> = fc
  .constantFrom<'completed' | 'failed'>('completed', 'failed')
  .map((outcome) => (id) => ({
    node: control(id, 'stop', { outcome, output: { stopped: id } }),
    handles: [],
    outcome: { nodeId: id, status: 'COMPLETED', stop: outcome },
  }));

/** `wait`: nobody answers, so the step fails; `expire`: it ends by `expired`. */
export function questionOf(id: string, what: 'answer' | 'wait' | 'expire' | 'cancel'): Made {
  const expires = what === 'wait' || what === 'expire';
  const node = control(
    id,
    'input',
    { fields: FIELDS, ...(expires ? { expiresInMs: EXPIRES_MS } : {}) },
    {
      onError: what === 'wait' ? 'continue' : 'fail',
    },
  );
  return {
    node,
    handles: what === 'expire' ? ['expired'] : [undefined],
    reactions: [[id, what === 'expire' ? 'wait' : what]],
    outcome: what === 'wait' ? failed(id) : completed(id, what === 'expire' ? 'expired' : undefined),
    ...(what === 'expire' ? { output: null } : {}),
  };
}

/** A counted call of an external server; `first=503` fails the first call of its path. */
export function effects(url: string): fc.Arbitrary<Maker> {
  return fc.boolean().map((fails) => (id) => {
    const path = `/{{ execution.id }}/${id}`;
    const inputs = { method: 'POST', url: `${url}${path}${fails ? '?first=503' : ''}` };
    return {
      node: action(id, 'http.request', inputs, { retry: { maximumAttempts: 4, initialIntervalMs: 200 } }),
      handles: [undefined],
      outcome: completed(id),
      output: expect.objectContaining({ status: 200, body: { done: id } }),
    };
  });
}

/** Slow, so that something can be killed meanwhile. */
export const slow: fc.Arbitrary<Maker> = fc.integer({ min: 0, max: 3_000 }).map((ms) => (id) => ({
  node: action(id, 'testing.wait', { ms }),
  handles: [undefined],
  outcome: completed(id),
  output: { waitedMs: expect.any(Number) },
}));
