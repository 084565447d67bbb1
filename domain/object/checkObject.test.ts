import { expect, test } from '@jest/globals';
import { requireAttributes } from './checkObject.ts';
import type { CompiledRules } from './compiledRules.ts';

test('attributes are accepted up to an exact number of bytes of JSON', async () => {
  const rules = { stateSchema: null } as unknown as CompiledRules;
  const checks = { maxBytes: 20, check: async () => ({ errors: [], unknown: [], references: [] }) };
  const given = (text: string) => requireAttributes(rules, { attributes: { a: text }, state: null }, checks);
  expect(await given('é'.repeat(6))).toEqual([]);
  await expect(given(`${'é'.repeat(6)}x`)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'attributes', message: 'expected at most 20 bytes of JSON, got 21' }],
  });
});
