import { expect, test } from '@jest/globals';
import { KnownQuestions } from './knownQuestions.ts';

const question = (executionId: string, id: string) => ({
  id,
  workspaceId: 'w',
  executionId,
  versionId: null,
  nodeId: 'ask',
  fields: [],
  iteration: '',
  required: 1,
  submitters: 'anyone' as const,
  excludeStarter: false,
  host: null,
  steps: [],
});

test('a question is found by its execution and node, and by its step where one is named', () => {
  const known = new KnownQuestions();
  const one = question('e1', 's1');
  known.add(one);
  known.add(question('e2', 's2'));
  expect(known.find('e1', 'ask', undefined)).toBe(one);
  expect(known.find('e1', 'ask', 's1')).toBe(one);
  expect(known.find('e1', 'ask', 's2')).toBeUndefined();
  expect(known.find('e1', 'other', undefined)).toBeUndefined();
  known.forget(one);
  expect(known.find('e1', 'ask', undefined)).toBeUndefined();
  expect(known.find('e2', 'ask', undefined)?.id).toBe('s2');
});

test('the oldest questions are dropped at the limit', () => {
  const known = new KnownQuestions();
  const large = { key: 'a', label: 'x'.repeat(1_000_000), type: 'text' as const, required: true };
  for (let n = 0; n < 20; n += 1) known.add({ ...question(`e${n}`, `s${n}`), fields: [large] });
  expect(known.find('e0', 'ask', undefined)).toBeUndefined();
  expect(known.find('e19', 'ask', undefined)?.id).toBe('s19');
});
