import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addCosts, costOf, PRICE } from './cost.ts';
import { addUsage, NO_USAGE, priced, type Usage } from './usage.ts';

const usage = (inputTokens: number, cachedInputTokens: number, outputTokens: number): Usage => ({
  ...NO_USAGE,
  inputTokens,
  cachedInputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});
const prices = { currency: 'EUR', models: { small: { input: '0.4', cachedInput: '0.1', output: '1.6' } } };

test('cached input is part of the input, and costs the input price unless it has its own', () => {
  expect(costOf(usage(1_000, 400, 10), prices.models.small, 'EUR')).toEqual({ amount: '0.000296', currency: 'EUR' });
  expect(costOf(usage(3, 3, 1), { input: '2', output: '0' }, 'EUR')).toEqual({ amount: '0.000006', currency: 'EUR' });
  expect(costOf(usage(2_000_000, 0, 0), { input: '3.50', output: '0' }, 'EUR').amount).toBe('7');
  expect(costOf(usage(0, 0, 1), { input: '0', output: '0.000000001' }, 'EUR').amount).toBe('0.000000000000001');
});

test('a model without a price has no cost', () => {
  expect(priced(usage(1, 0, 1), prices, 'large')).toEqual(usage(1, 0, 1));
  expect(priced(usage(1, 0, 1), prices, 'constructor')).toEqual(usage(1, 0, 1));
  expect(priced(usage(1, 0, 1), undefined, 'small')).toEqual(usage(1, 0, 1));
});

test('a sum has a cost only if all parts have one, in one currency', () => {
  const [paid, unpaid] = [priced(usage(10, 0, 10), prices, 'small'), usage(1, 0, 0)];
  expect(addUsage(paid, paid).cost).toEqual({ amount: '0.00004', currency: 'EUR' });
  expect(addUsage(paid, NO_USAGE).cost).toEqual(paid.cost);
  expect(addUsage(NO_USAGE, paid).cost).toEqual(paid.cost);
  expect(addUsage(paid, unpaid)).not.toHaveProperty('cost');
  expect(addUsage(paid, { ...paid, cost: { amount: '1', currency: 'USD' } })).not.toHaveProperty('cost');
});

test('costs of parts add up to the cost of the whole, to the last digit', () => {
  const price = fc
    .tuple(fc.nat(999_999), fc.nat(999_999_999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(9, '0')}`);
  const tokens = fc.nat(10_000_000);
  fc.assert(
    fc.property(price, price, tokens, tokens, tokens, tokens, (input, output, a, b, c, d) => {
      expect(input).toMatch(PRICE);
      const of = (inTokens: number, outTokens: number) =>
        costOf(usage(inTokens, 0, outTokens), { input, output }, 'EUR');
      expect(addCosts(of(a, b), of(c, d))).toEqual(of(a + c, b + d));
    }),
  );
});
