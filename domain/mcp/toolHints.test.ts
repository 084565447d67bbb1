import { expect, test } from '@jest/globals';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import type { Node } from '../workflow/definition.ts';
import { toolHints, UNKNOWN_HINTS } from './toolHints.ts';

const catalogue = buildCatalogue({ testing: false });
const action = (id: string, appId: string, actionId: string): Node => ({ id, type: 'action', appId, actionId });
const hintsOf = (...nodes: Node[]) => toolHints({ nodes }, catalogue);

test('a workflow that only computes or asks is read-only', () => {
  const expected = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  expect(hintsOf()).toEqual(expected);
  expect(hintsOf(action('a', 'core', 'sort'), { id: 'ask', type: 'input' })).toEqual(expected);
});

test('one step that writes makes the workflow write', () => {
  const hints = hintsOf(action('a', 'core', 'sort'), action('b', 'github', 'createIssue'));
  expect(hints.readOnlyHint).toBe(false);
});

test('a step that starts another workflow, or an unknown action, may do anything', () => {
  expect(hintsOf({ id: 'run', type: 'runWorkflow' })).toEqual(UNKNOWN_HINTS);
  expect(hintsOf(action('a', 'core', 'absent'))).toEqual(UNKNOWN_HINTS);
});
