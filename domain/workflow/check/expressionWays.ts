import { type CelNode, childrenOf, sourceOf } from '../../expression/celNode.ts';
import { compileExpression } from '../../expression/program.ts';
import { restoreNames } from '../../expression/reservedNames.ts';
import type { Scope } from '../../expression/scope.ts';
import { type Comparisons, comparisonIn } from './comparisons.ts';
import { ALWAYS, type Formula, type Formulas, NEVER } from './formulas.ts';

/** When a condition is true and when it is false. Otherwise it fails, because it reads a step that was skipped. */
export interface Truth {
  yes: Formula;
  no: Formula;
}

/** A read of `steps.<step>` that fails `when` the step was skipped on the way to it. */
export interface StepRead {
  step: string;
  when: Formula;
  node: CelNode;
}

export interface ReaderPlace {
  formulas: Formulas;
  comparisons: Comparisons;
  /** When the step has run, as far as the reader is concerned. */
  ran(step: string): Formula;
  /** When the step took the way out; undefined for a step that does not decide. */
  takes(step: string, handle: string): Formula | undefined;
  /** Equal texts with the same prefix have the same value. */
  prefix: string;
}

/** Functions whose first argument is a variable that has another value for each element. */
const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'sortBy', 'groupBy']);

/** Follows an expression as the evaluator does: `&&`, `||` and `?:` decide which reads are reached. */
export class ExpressionWays {
  readonly #place: ReaderPlace;
  readonly #truths = new Map<CelNode, Truth>();
  /** The macro around a node, in whose elements equal texts differ. */
  readonly #macros = new Map<CelNode, string>();

  constructor(root: CelNode, place: ReaderPlace) {
    this.#place = place;
    this.#noteMacros(root, '');
  }

  /** All unguarded reads in the node, if it is evaluated on the ways in `on`. */
  reads(node: CelNode, on: Formula = ALWAYS): StepRead[] {
    const { formulas } = this.#place;
    const { op, args } = node;
    if (on === NEVER) return [];
    if (op === '&&' || op === '||') {
      const [left, right] = args as [CelNode, CelNode];
      const side = op === '&&' ? 'no' : 'yes';
      // Either side alone can decide, even if the other one fails.
      const unless = (other: CelNode) => formulas.and(on, formulas.not(this.truth(other)[side]));
      return [...this.reads(left, unless(right)), ...this.reads(right, unless(left))];
    }
    if (op === '?:') {
      const [condition, yes, no] = args as [CelNode, CelNode, CelNode];
      const decided = this.truth(condition);
      return [
        ...this.reads(condition, on),
        ...this.reads(yes, formulas.and(on, decided.yes)),
        ...this.reads(no, formulas.and(on, decided.no)),
      ];
    }
    if (isHas(node)) return [];
    const step = stepRead(node);
    if (step !== undefined) {
      const when = formulas.and(on, formulas.not(this.#place.ran(step)));
      return when === NEVER ? [] : [{ step, when, node }];
    }
    // The link of a question exists from the beginning.
    if (isLink(node)) return [];
    return childrenOf(node).flatMap((child) => this.reads(child, on));
  }

  /** When none of its reads fails. */
  succeeds(node: CelNode): Formula {
    const { formulas } = this.#place;
    return formulas.not(formulas.or(...this.reads(node).map(({ when }) => when)));
  }

  truth(node: CelNode): Truth {
    const known = this.#truths.get(node);
    if (known !== undefined) return known;
    const truth = this.#truth(node);
    this.#truths.set(node, truth);
    return truth;
  }

  #truth(node: CelNode): Truth {
    const { formulas } = this.#place;
    const { op, args } = node;
    if (op === 'value' && typeof args === 'boolean') return args ? TRUE : FALSE;
    if (op === '!_') return opposite(this.truth(args as CelNode));
    if (op === '&&' || op === '||') {
      const [left, right] = (args as [CelNode, CelNode]).map((each) => this.truth(each)) as [Truth, Truth];
      return op === '&&'
        ? { yes: formulas.and(left.yes, right.yes), no: formulas.or(left.no, right.no) }
        : { yes: formulas.or(left.yes, right.yes), no: formulas.and(left.no, right.no) };
    }
    if (op === '?:') {
      const [condition, yes, no] = (args as CelNode[]).map((each) => this.truth(each)) as [Truth, Truth, Truth];
      const either = (side: keyof Truth) =>
        formulas.or(formulas.and(condition.yes, yes[side]), formulas.and(condition.no, no[side]));
      return { yes: either('yes'), no: either('no') };
    }
    if (op === '==' || op === '!=') {
      const [left, right] = args as [CelNode, CelNode];
      const [flag, other] = isFlag(right) ? [right, left] : [left, right];
      if (isFlag(flag)) {
        const same = flag.args === (op === '==') ? this.truth(other) : opposite(this.truth(other));
        return same;
      }
    }
    return this.#unknown(node);
  }

  /** A condition that is not taken apart is a decision of its own. */
  #unknown(node: CelNode): Truth {
    const { formulas, ran } = this.#place;
    const present = presenceOf(node);
    if (present !== undefined) return { yes: ran(present), no: formulas.not(ran(present)) };
    const yes = this.#way(node) ?? this.#withoutSteps(node, this.#decision(node));
    const succeeds = this.succeeds(node);
    return { yes: formulas.and(succeeds, yes), no: formulas.and(succeeds, formulas.not(yes)) };
  }

  /** `steps.c.output.result` and `steps.s.output.case == "a"` tell which way a step took. */
  #way(node: CelNode): Formula | undefined {
    const { formulas, takes } = this.#place;
    const step = outputOf(node, 'result');
    if (step !== undefined) return takes(step, 'true');
    if (node.op !== '==' && node.op !== '!=') return undefined;
    const [left, right] = node.args as [CelNode, CelNode];
    const [name, other] = left.op === 'value' ? [left, right] : [right, left];
    const decided = outputOf(other, 'case');
    const way =
      decided === undefined || typeof name.args !== 'string' || name.op !== 'value'
        ? undefined
        : takes(decided, name.args);
    return way !== undefined && node.op === '!=' ? formulas.not(way) : way;
  }

  #decision(node: CelNode): Formula {
    const { formulas, comparisons, prefix } = this.#place;
    const macro = this.#macros.get(node) ?? '';
    const compared = macro === '' ? comparisonIn(node) : undefined;
    if (compared === undefined) return formulas.decision(`${prefix}${macro}${sourceOf(node)}`);
    const { of, sign, value, isOpposite } = compared;
    const decision = comparisons.decision(`${prefix}${of}`, sign, value);
    return isOpposite ? formulas.not(decision) : decision;
  }

  /** `steps.?a.output.n.orValue(0) > 3` implies that `a` has run: its value without the step is false. */
  #withoutSteps(node: CelNode, decision: Formula): Formula {
    const { formulas, ran } = this.#place;
    const optional = [...optionalSteps(node)];
    if (optional.length === 0) return decision;
    const present = formulas.or(...optional.map((step) => ran(step)));
    const value = valueWithoutSteps(node);
    return value === true ? formulas.or(decision, formulas.not(present)) : formulas.and(decision, present);
  }

  #noteMacros(node: CelNode, macro: string): void {
    if (macro !== '') this.#macros.set(node, macro);
    const isMacro = node.op === 'rcall' && MACROS.has((node.args as [string])[0]);
    const [, receiver] = isMacro ? (node.args as [string, CelNode]) : [];
    for (const child of childrenOf(node)) {
      this.#noteMacros(child, isMacro && child !== receiver ? `${macro}@${node.start} ` : macro);
    }
  }
}

const TRUE: Truth = { yes: ALWAYS, no: NEVER };
const FALSE: Truth = { yes: NEVER, no: ALWAYS };

function opposite({ yes, no }: Truth): Truth {
  return { yes: no, no: yes };
}

function isFlag({ op, args }: CelNode): boolean {
  return op === 'value' && typeof args === 'boolean';
}

function isHas({ op, args }: CelNode): boolean {
  return op === 'call' && (args as [string])[0] === 'has';
}

function isSteps({ op, args }: CelNode): boolean {
  return op === 'id' && restoreNames(args as string) === 'steps';
}

/** Returns `a` for `steps.a` and `steps["a"]`, by one of these operators. */
function stepAt(node: CelNode, operators: readonly string[]): string | undefined {
  if (!operators.includes(node.op)) return undefined;
  const [object, key] = node.args as [CelNode, CelNode | string];
  if (!isSteps(object)) return undefined;
  if (typeof key === 'string') return key;
  return key.op === 'value' && typeof key.args === 'string' ? key.args : undefined;
}

function stepRead(node: CelNode): string | undefined {
  return stepAt(node, ['.', '[]']);
}

/** Returns `a` for `steps.a.output.<member>`. */
function outputOf(node: CelNode, member: string): string | undefined {
  if (node.op !== '.') return undefined;
  const [object, key] = node.args as [CelNode, CelNode | string];
  if (key !== member || object.op !== '.') return undefined;
  const [step, output] = object.args as [CelNode, CelNode | string];
  return output === 'output' ? stepRead(step) : undefined;
}

function isLink(node: CelNode): boolean {
  if (node.op !== '.' && node.op !== '[]') return false;
  const [object, key] = node.args as [CelNode, CelNode | string];
  return (typeof key === 'string' ? key : key.args) === 'link' && stepRead(object) !== undefined;
}

/** Returns `a` for `has(steps.a)`, `steps.?a.hasValue()` and `"a" in steps`. */
function presenceOf(node: CelNode): string | undefined {
  const { op, args } = node;
  if (isHas(node)) {
    const [path] = (args as [string, CelNode[]])[1];
    return path && stepAt(path, ['.', '[]', '.?', '[?]']);
  }
  if (op === 'rcall') {
    const [name, receiver] = args as [string, CelNode];
    return name === 'hasValue' ? stepAt(receiver, ['.?', '[?]']) : undefined;
  }
  if (op !== 'in') return undefined;
  const [key, object] = args as [CelNode, CelNode];
  return isSteps(object) && key.op === 'value' && typeof key.args === 'string' ? key.args : undefined;
}

/** Returns the steps whose absence the node notices without failing. */
function optionalSteps(node: CelNode): Set<string> {
  const step = stepAt(node, ['.?', '[?]']) ?? (isHas(node) ? stepInside(node) : undefined);
  if (step !== undefined) return new Set([step]);
  return new Set(childrenOf(node).flatMap((child) => [...optionalSteps(child)]));
}

function stepInside(node: CelNode): string | undefined {
  const step = stepAt(node, ['.', '[]', '.?', '[?]']);
  return (
    step ??
    childrenOf(node)
      .map(stepInside)
      .find((one) => one !== undefined)
  );
}

const NOTHING: Scope = {
  trigger: {},
  steps: {},
  variables: {},
  execution: { id: '', number: 0, startedAt: '', workflowId: '', workflowName: '' },
};

/** Returns the value of a condition over steps alone if none of them has run; undefined if other values matter. */
function valueWithoutSteps(node: CelNode): unknown {
  try {
    const { references, evaluate } = compileExpression(sourceOf(node));
    const { trigger, loop, loops, now, allVariables, variables } = references;
    if (trigger || loop || now || allVariables || loops.size + variables.size > 0) return undefined;
    return evaluate(NOTHING);
  } catch {
    return undefined;
  }
}
