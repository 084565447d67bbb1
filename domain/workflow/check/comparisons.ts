import { type CelNode, sourceOf } from '../../expression/celNode.ts';
import { ALWAYS, type Formula, type Formulas } from './formulas.ts';

/** `n < 5` is the opposite of `n >= 5`, and `5 == n` the same as `n == 5`. */
export interface Comparison {
  of: string;
  sign: Sign;
  value: string | number;
  isOpposite: boolean;
}

type Sign = '==' | '>' | '>=';

interface Known {
  sign: Sign;
  value: string | number;
  decision: Formula;
}

/** Every pair of comparisons of one value is related, so more are not worth it. */
const MAX_OF_ONE = 24;

/** The decisions that compare a value with constants, and how they depend on each other. */
export class Comparisons {
  readonly #formulas: Formulas;
  readonly #known = new Map<string, Known[]>();

  constructor(formulas: Formulas) {
    this.#formulas = formulas;
  }

  decision(of: string, sign: Sign, value: string | number): Formula {
    const decision = this.#formulas.decision(`${of} ${sign} ${JSON.stringify(value)}`);
    const known = this.#known.get(of) ?? [];
    if (!known.some((each) => each.decision === decision)) known.push({ sign, value, decision });
    this.#known.set(of, known);
    return decision;
  }

  /** Excludes what no value fulfils: `n > 5` without `n > 3`, or `kind == "a"` together with `kind == "b"`. */
  possible(): Formula {
    const formulas = this.#formulas;
    let possible = ALWAYS;
    for (const known of this.#known.values()) {
      for (const [index, one] of known.slice(0, MAX_OF_ONE).entries()) {
        for (const other of known.slice(0, index)) possible = formulas.and(possible, this.#related(one, other));
      }
    }
    return possible;
  }

  #related(one: Known, other: Known): Formula {
    const formulas = this.#formulas;
    if (one.sign === '==' && other.sign === '==') return formulas.not(formulas.and(one.decision, other.decision));
    if (typeof one.value !== 'number' || typeof other.value !== 'number') return ALWAYS;
    if (one.sign === '==' || other.sign === '==') {
      const [equal, limit] = one.sign === '==' ? [one, other] : [other, one];
      const isAbove = limit.sign === '>' ? equal.value > limit.value : equal.value >= limit.value;
      return formulas.or(formulas.not(equal.decision), isAbove ? limit.decision : formulas.not(limit.decision));
    }
    // The stricter one implies the other.
    const isStricter = one.value > other.value || (one.value === other.value && one.sign === '>');
    const [strict, loose] = isStricter ? [one, other] : [other, one];
    return formulas.or(formulas.not(strict.decision), loose.decision);
  }
}

const SIGNS: Readonly<Record<string, Pick<Comparison, 'sign' | 'isOpposite'>>> = {
  '==': { sign: '==', isOpposite: false },
  '!=': { sign: '==', isOpposite: true },
  '>': { sign: '>', isOpposite: false },
  '>=': { sign: '>=', isOpposite: false },
  '<': { sign: '>=', isOpposite: true },
  '<=': { sign: '>', isOpposite: true },
};

const TURNED: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/** Returns the comparison of a value with a constant; undefined for any other node. */
export function comparisonIn({ op, args }: CelNode): Comparison | undefined {
  if (!Object.hasOwn(SIGNS, op)) return undefined;
  const [left, right] = args as [CelNode, CelNode];
  const [ofLeft, ofRight] = [constantOf(left), constantOf(right)];
  if ((ofLeft === undefined) === (ofRight === undefined)) return undefined;
  const [node, value, sign] =
    ofRight === undefined ? [right, ofLeft as string | number, TURNED[op] ?? op] : [left, ofRight, op];
  const known = SIGNS[sign];
  const isOrdered = typeof value === 'number' || known?.sign === '==';
  return known && isOrdered ? { of: sourceOf(node), value, ...known } : undefined;
}

function constantOf({ op, args }: CelNode): string | number | undefined {
  if (op === '-_') {
    const value = constantOf(args as CelNode);
    return typeof value === 'number' ? -value : undefined;
  }
  if (op !== 'value') return undefined;
  if (typeof args === 'bigint') return Number(args);
  return typeof args === 'string' || typeof args === 'number' ? args : undefined;
}
