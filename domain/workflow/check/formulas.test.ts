import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ALWAYS, type Formula, Formulas, NEVER, TooManyWays } from './formulas.ts';

type Tree = { name: string } | { not: Tree } | { op: 'and' | 'or'; a: Tree; b: Tree };

const NAMES = ['p', 'q', 'r', 's'];
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...NAMES).map((name) => ({ name })),
    tie('tree').map((not) => ({ not })),
    fc.record({ op: fc.constantFrom('and' as const, 'or' as const), a: tie('tree'), b: tie('tree') }),
  ),
}));

function formulaOf(of: Tree, formulas: Formulas): Formula {
  if ('name' in of) return formulas.decision(of.name);
  if ('not' in of) return formulas.not(formulaOf(of.not, formulas));
  return formulas[of.op](formulaOf(of.a, formulas), formulaOf(of.b, formulas));
}

function holds(of: Tree, given: ReadonlySet<string>): boolean {
  if ('name' in of) return given.has(of.name);
  if ('not' in of) return !holds(of.not, given);
  return of.op === 'and' ? holds(of.a, given) && holds(of.b, given) : holds(of.a, given) || holds(of.b, given);
}

test('a formula is NEVER or ALWAYS exactly if no or every choice fulfils it', () => {
  const choices = Array.from({ length: 16 }, (_, bits) => new Set(NAMES.filter((_name, at) => (bits >> at) & 1)));
  fc.assert(
    fc.property(tree, (of) => {
      const formula = formulaOf(of, new Formulas());
      const results = choices.map((given) => holds(of, given));
      expect(formula === NEVER).toBe(!results.includes(true));
      expect(formula === ALWAYS).toBe(!results.includes(false));
    }),
  );
});

test('a diagram that grows too large is given up', () => {
  const formulas = new Formulas();
  const first = Array.from({ length: 20 }, (_, index) => formulas.decision(`a${index}`));
  const second = Array.from({ length: 20 }, (_, index) => formulas.decision(`b${index}`));
  // All of the first come before all of the second, so the diagram has to remember 20 decisions.
  const equal = () =>
    first.map((a, index) => formulas.choose(a, second[index] as Formula, formulas.not(second[index] as Formula)));
  expect(() => formulas.and(...equal())).toThrow(TooManyWays);
});
