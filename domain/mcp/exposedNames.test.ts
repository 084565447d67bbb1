import { expect, test } from '@jest/globals';
import { type Exposed, exposedNames, wantedName } from './exposedNames.ts';

const exposed = (id: string, slug: string, name?: string): Exposed => ({
  ...{ id, kind: 'workflow', slug, projectSlug: 'shop' },
  exposeAsTool: { description: 'Does it', ...(name === undefined ? {} : { name }) },
});

test('a tool is called by its own name, or by the slugs of project and workflow', () => {
  expect(wantedName(exposed('1', 'refund'))).toBe('shop_refund');
  expect(wantedName(exposed('1', 'refund.v2'))).toBe('shop_refund_v2');
  expect(wantedName(exposed('1', 'refund', 'give_money_back'))).toBe('give_money_back');
});

test('long names differ by a hash', () => {
  const [one, other] = ['a', 'b'].map((end) => wantedName(exposed('1', 's'.repeat(100) + end)));
  expect(one).toMatch(/^shop_s{50}_[0-9a-f]{8}$/);
  expect(one).not.toBe(other);
});

test('of two tools with one name the older keeps it, in any order; no tool hides an own one', () => {
  const [old, young] = [exposed('1', 'a.b'), exposed('2', 'a_b')];
  for (const list of [
    [old, young],
    [young, old],
  ]) {
    const named = [...exposedNames(list)].map(([name, { id }]) => [id, name]);
    expect(named).toEqual([
      ['1', 'shop_a_b'],
      ['2', expect.stringMatching(/^shop_a_b_[0-9a-f]{8}$/)],
    ]);
  }
  expect([...exposedNames([exposed('1', 'x', 'get_execution')]).keys()]).toEqual([
    expect.stringMatching(/^get_execution_[0-9a-f]{8}$/),
  ]);
});
