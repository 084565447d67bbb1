import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { Problem } from '../problem.ts';
import { compileDefinition } from '../workflow/compile.ts';
import { catalogue, condition, definitionOf, edge, node } from '../workflow/graphs.fixture.ts';
import { type Earlier, keptByRetry, type RetryRequest, rulesOfRetry } from './executionRetry.ts';
import type { EarlierStep } from './resume.ts';
import { triggerOfRetry } from './triggerOfRetry.ts';

const compiled = (candidate: object) => compileDefinition(definitionOf(candidate), catalogue);
const manual = (...fields: object[]) => ({ id: 'trigger', type: 'manual', config: { fields } });
const text = (key: string) => ({ key, label: key, type: 'text', required: true });

const decide = condition('b', { inputs: { condition: '{{ trigger.?yes.orValue(true) }}' } });
const nodes = [node('a'), decide, node('c'), node('d')];
const edges = [edge('a', 'b'), edge('b', 'c', 'true'), edge('c', 'd')];
const old = compiled({ nodes, edges });
const steps: EarlierStep[] = [
  { nodeId: 'a', status: 'COMPLETED', handle: null },
  { nodeId: 'b', status: 'COMPLETED', handle: 'true' },
  { nodeId: 'c', status: 'FAILED', handle: null },
];
const earlier: Earlier = { status: 'FAILED', trigger: { name: 'Ada' }, steps };

const kept = (request: RetryRequest = {}, now = old, before: Earlier = earlier) => {
  const rules = rulesOfRetry(before, request, old, now);
  return rules ? keptByRetry(before, request, old, now, rules, new Set()).kept : [];
};

function refusal(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the kept nodes', () => {
  it('is all before the failure, or before fromStep', () => {
    expect(kept()).toEqual(['a', 'b']);
    expect(kept({ fromStep: 'c' })).toEqual(['a', 'b']);
    expect(kept({ fromStep: 'b' })).toEqual(['a']);
    expect(kept({ fromStep: 'a' })).toEqual([]);
  });

  it('is nothing of an execution that completed, and nothing with other input, unless fromStep says so', () => {
    const completed: Earlier = { ...earlier, status: 'COMPLETED' };
    expect(kept({}, old, completed)).toEqual([]);
    expect(kept({ fromStep: 'b' }, old, completed)).toEqual(['a']);
    expect(kept({ input: {} })).toEqual([]);
    expect(kept({ input: {}, fromStep: 'c' })).toEqual(['a', 'b']);
  });

  it('is refused from a step that was not reached', () => {
    expect(refusal(() => kept({ fromStep: 'd' }))).toMatchObject({ code: 'RETRY_NOT_ALLOWED' });
    expect(refusal(() => kept({ fromStep: 'nowhere' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'fromStep', message: 'the workflow has no node nowhere' }],
    });
  });
});

describe('with another version, the kept nodes', () => {
  const from = (candidate: object) => kept({}, compiled(candidate));

  it('are the unchanged ones; names and positions do not count', () => {
    expect(from({ nodes: nodes.map((each) => ({ ...each, name: 'new', position: { x: 1, y: 2 } })), edges })).toEqual([
      'a',
      'b',
    ]);
    expect(from({ nodes: [node('a'), decide, node('c', { inputs: { url: 'v' } })], edges: edges.slice(0, 2) }))
      // Later nodes may change freely.
      .toEqual(['a', 'b']);
  });

  it('is nothing behind a node that changed', () => {
    expect(from({ nodes: [node('a', { inputs: { url: 'v' } }), ...nodes.slice(1)], edges })).toEqual([]);
  });

  it('is nothing that other edges lead to', () => {
    const added = { nodes: [...nodes, node('e')], edges: [...edges, edge('e', 'b')] };
    expect(from(added)).toEqual(['a']);
    expect(from({ nodes: [node('b'), node('a')], edges: [edge('a', 'b')] })).toEqual(['a']);
  });

  it('may begin at a node that is new', () => {
    const now = compiled({ nodes: [...nodes, node('e')], edges: [...edges, edge('a', 'e')] });
    expect(kept({ fromStep: 'e' }, now)).toEqual(['a', 'b']);
  });
});

describe('the trigger', () => {
  const trigger = (request: RetryRequest, before = old, now = old) => triggerOfRetry(earlier, request, before, now);
  const wanting = (...keys: string[]) => compiled({ trigger: manual(...keys.map(text)), nodes, edges });

  it('is that of the execution before, or the input', () => {
    expect(trigger({})).toBeUndefined();
    expect(trigger({ input: { name: 'Bob' } })).toEqual({ name: 'Bob' });
  });

  it('has to fit the fields of the version that runs', () => {
    expect(trigger({}, old, wanting('name'))).toEqual({ name: 'Ada' });
    const missing = { code: 'VALIDATION_FAILED', errors: [{ path: 'input.city', message: expect.any(String) }] };
    expect(refusal(() => trigger({}, old, wanting('name', 'city')))).toMatchObject(missing);
    expect(refusal(() => trigger({ input: { name: 'Ada' } }, old, wanting('name', 'city')))).toMatchObject(missing);
  });

  it('of another kind needs input', () => {
    const webhook = compiled({ trigger: { id: 'trigger', type: 'webhook', config: {} }, nodes, edges });
    expect(refusal(() => trigger({}, old, webhook))).toMatchObject({ code: 'RETRY_NOT_ALLOWED' });
    const input: JsonObject = { method: 'POST', headers: {}, query: {}, body: {} };
    expect(trigger({ input }, old, webhook)).toEqual(input);
  });
});
