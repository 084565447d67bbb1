import { expect, test } from '@jest/globals';
import { compileExpression } from '../../domain/expression/program.ts';
import { compileAhead } from './compileAhead.ts';

test('many expressions are compiled with pauses for others, and found compiled afterwards', async () => {
  const texts = Array.from({ length: 2_000 }, (_, index) => `trigger.list.map(x, x.a${index} + 1).size() > ${index}`);
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  await compileAhead({ nodes: [{ inputs: { values: texts.map((text) => `{{ ${text} }}`) } }] });
  clearImmediate(next);
  expect(turns).toBeGreaterThan(3);
  const [first = ''] = texts.slice(-1);
  expect(compileExpression(first)).toBe(compileExpression(`${first}`));
});

test('a broken expression is left to the check, and so is what is too deep', async () => {
  const broken = Array.from({ length: 9 }, (_, index) => `{{ ${index} + }}`);
  await expect(compileAhead([...broken, '{{ not ended'])).resolves.toBeUndefined();
  let deep: unknown = '{{ 1 }}';
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  await expect(compileAhead(deep)).resolves.toBeUndefined();
});
