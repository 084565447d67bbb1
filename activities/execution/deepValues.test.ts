import { expect, test } from '@jest/globals';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import { compileDefinition } from '../../domain/workflow/compile.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import { buildCatalogue } from '../apps/catalogue.ts';
import { resolveInputs } from './resolvedInputs.ts';
import { outputProblem } from './stepSettlement.ts';

const PLENTY = 10_000_000;
const lists = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test('an output may have 100 levels', () => {
  expect(outputProblem(lists(100), PLENTY)).toBeUndefined();
});

test.each([101, 5_000, 100_000])('an output of %i levels is a failure that no retry mends', (levels) => {
  expect(outputProblem({ list: [1, lists(levels - 2)] }, PLENTY)).toEqual({
    code: 'OUTPUT_TOO_DEEP',
    message: 'The output is nested too deeply; at most 100 levels are allowed',
    retryable: false,
  });
});

const evaluation = new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: PLENTY });

function resolvedWith(value: string, trigger: Json) {
  const definition = compileDefinition(
    {
      trigger: { id: 'trigger', type: 'manual', config: {} },
      nodes: [{ id: 'a', type: 'action', appId: 'core', actionId: 'transform', inputs: { value } }],
      edges: [],
    },
    buildCatalogue({ testing: false }),
  );
  const compiled = definition.nodes.get('a');
  if (!compiled) throw new Error('not compiled');
  const execution = { id: 'e', number: 1, startedAt: '2026-01-01T00:00:00.000Z', workflowId: 'w', workflowName: 'W' };
  const scope: Scope = { trigger, steps: {}, variables: {}, execution };
  return resolveInputs({ evaluation }, { workspaceId: 'w', compiled, scope });
}

test('inputs may contain any permitted output at depth', async () => {
  expect(await resolvedWith('{{ trigger }}', lists(100))).toMatchObject({ ok: true });
});

test.each([
  ['{{ trigger }}', 'INVALID_INPUT', 'the inputs are nested too deeply; at most 200 levels are allowed'],
  ['{{ [trigger] }}', 'EXPRESSION_FAILED', expect.any(String)],
  ['as text: {{ trigger }}', 'EXPRESSION_FAILED', expect.any(String)],
])('inputs of 100,000 levels fail their step: %s', async (value, code, message) => {
  expect(await resolvedWith(value, lists(100_000))).toEqual({
    ok: false,
    failure: { code, message, retryable: false },
  });
});
