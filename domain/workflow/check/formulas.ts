/**
 * A boolean function of decisions: a node of a reduced ordered binary decision diagram, in which equal functions are the
 * same node. So a function is impossible if and only if it is NEVER.
 */
export type Formula = number;

export const NEVER: Formula = 0;
export const ALWAYS: Formula = 1;

/** The diagram has grown beyond MAX_NODES, which takes some 20 ms. */
export class TooManyWays extends Error {}

const MAX_NODES = 20_000;
/** Above MAX_NODES, so that three nodes fit into one exact number. */
const BASE = 32_768;
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

export class Formulas {
  readonly #decision: number[] = [AFTER_ALL, AFTER_ALL];
  readonly #no: Formula[] = [NEVER, ALWAYS];
  readonly #yes: Formula[] = [NEVER, ALWAYS];
  readonly #known = new Map<number, Formula>();
  readonly #chosen = new Map<number, Formula>();
  readonly #named = new Map<string, Formula>();

  /** The number of nodes of the diagram. */
  get size(): number {
    return this.#decision.length;
  }

  /** Equal names are the same decision. Throws TooManyWays, as all methods do. */
  decision(name: string): Formula {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const made = this.#node(this.#named.size, NEVER, ALWAYS);
    this.#named.set(name, made);
    return made;
  }

  not(a: Formula): Formula {
    return this.choose(a, NEVER, ALWAYS);
  }

  and(...all: Formula[]): Formula {
    return all.reduce((a, b) => this.choose(a, b, NEVER), ALWAYS);
  }

  or(...all: Formula[]): Formula {
    return all.reduce((a, b) => this.choose(a, ALWAYS, b), NEVER);
  }

  /** If `a` then `yes`, otherwise `no`. */
  choose(a: Formula, yes: Formula, no: Formula): Formula {
    if (a === ALWAYS) return yes;
    if (a === NEVER) return no;
    if (yes === no) return yes;
    if (yes === ALWAYS && no === NEVER) return a;
    const key = (a * BASE + yes) * BASE + no;
    const before = this.#chosen.get(key);
    if (before !== undefined) return before;
    const first = Math.min(this.#at(a), this.#at(yes), this.#at(no));
    const part = (side: Formula[]) => (of: Formula) => (this.#at(of) === first ? (side[of] as Formula) : of);
    const [ifNo, ifYes] = [part(this.#no), part(this.#yes)];
    const result = this.#node(
      first,
      this.choose(ifNo(a), ifNo(yes), ifNo(no)),
      this.choose(ifYes(a), ifYes(yes), ifYes(no)),
    );
    this.#chosen.set(key, result);
    return result;
  }

  #at(of: Formula): number {
    return this.#decision[of] as number;
  }

  #node(decision: number, no: Formula, yes: Formula): Formula {
    if (no === yes) return no;
    const key = (decision * BASE + no) * BASE + yes;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#decision.length;
    if (made >= MAX_NODES) throw new TooManyWays();
    this.#decision.push(decision);
    this.#no.push(no);
    this.#yes.push(yes);
    this.#known.set(key, made);
    return made;
  }
}
