import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CALL_PARTS, CALL_TOKENS, embeddingCalls } from './embeddingCalls.ts';

const tokens = fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 2 * CALL_TOKENS }));
const sum = (call: { tokens: number }[]) => call.reduce((total, part) => total + part.tokens, 0);

test('calls have every part once, in order, stay below both limits, and are no smaller than they must be', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ tokens }), { maxLength: 300 }), (parts) => {
      const calls = [...embeddingCalls(parts)];
      expect(calls.flat()).toEqual(parts);
      for (const [index, call] of calls.entries()) {
        expect(call.length).toBeGreaterThan(0);
        expect(call.length).toBeLessThanOrEqual(CALL_PARTS);
        if (call.length > 1) expect(sum(call)).toBeLessThanOrEqual(CALL_TOKENS);
        const [first] = calls[index + 1] ?? [];
        if (first && call.length < CALL_PARTS) expect(sum(call) + first.tokens).toBeGreaterThan(CALL_TOKENS);
      }
    }),
  );
});
