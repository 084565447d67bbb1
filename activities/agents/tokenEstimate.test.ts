import { expect, test } from '@jest/globals';
import { tokenEstimate } from './tokenEstimate.ts';

test('short texts are counted, long ones sampled, and huge ones take no longer', async () => {
  const tokensOf = await tokenEstimate();
  expect(tokensOf('Hello world')).toBe(3);
  const prose = 'The customer has sent the lamp back, and waits for a new one. ';
  const many = tokensOf(prose.repeat(1_000));
  expect(many / 1_000).toBeGreaterThan(10);
  expect(many / 1_000).toBeLessThan(25);
  const began = Date.now();
  const huge = tokensOf('a'.repeat(10_000_000));
  expect(huge).toBeGreaterThan(500_000);
  for (let n = 0; n < 2_000; n += 1) tokensOf(prose.repeat(40));
  expect(Date.now() - began).toBeLessThan(3_000);
  expect(tokensOf('<|endoftext|>')).toBeGreaterThan(0);
});
