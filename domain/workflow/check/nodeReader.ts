import type { CelNode } from '../../expression/celNode.ts';
import { expressionTree } from '../../expression/program.ts';
import { isOneExpression, templateParts } from '../../expression/template.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import type { Node } from '../definition.ts';
import type { Comparisons } from './comparisons.ts';
import { ExpressionWays, type StepRead, type Truth } from './expressionWays.ts';
import { ALWAYS, type Formula, type Formulas, NEVER } from './formulas.ts';

/** An unguarded read in the text at `path`, which fails on the ways in `read.when`. */
export interface PlacedRead {
  /** The node with the text; undefined for the output of the workflow. */
  node: Node | undefined;
  path: string;
  text: string;
  expression: string;
  root: CelNode;
  read: StepRead;
}

/** `node` is undefined for the output of the workflow. */
interface ReaderPlace {
  formulas: Formulas;
  comparisons: Comparisons;
  ran(node: Node | undefined, step: string): Formula;
  begins(node: Node | undefined): Formula;
  takes(step: string, handle: string): Formula | undefined;
}

/** Follows the expressions in the inputs of nodes, and notes the reads that fail on some way. */
export class NodeReader {
  readonly reads: PlacedRead[] = [];
  readonly #place: ReaderPlace;

  constructor(place: ReaderPlace) {
    this.#place = place;
  }

  truth(node: Node, condition: Json, path: string, on: Formula): Truth {
    if (typeof condition === 'boolean') return condition ? { yes: ALWAYS, no: NEVER } : { yes: NEVER, no: ALWAYS };
    const expression = typeof condition === 'string' ? onlyExpression(condition) : undefined;
    const tree = expression === undefined ? undefined : expressionTree(expression);
    if (expression === undefined || tree === undefined) return this.#free(path);
    const ways = this.#waysOf(node, tree, expression);
    this.#note({ node, path, text: condition as string, expression, root: tree }, ways.reads(tree, on));
    return ways.truth(tree);
  }

  equals(node: Node, value: Json, other: Json, path: string, on: Formula): Truth {
    const { formulas } = this.#place;
    const succeeds = this.readValue(node, other, path, on);
    const [left, right] = [value, other].map((each) => (typeof each === 'string' ? onlyExpression(each) : undefined));
    const isConstant = (each: Json) => !JSON.stringify(each).includes('{{');
    let yes: Formula;
    if (isConstant(value) && isConstant(other)) {
      yes = JSON.stringify(value) === JSON.stringify(other) ? ALWAYS : NEVER;
    } else if (left !== undefined && (typeof other === 'number' || (typeof other === 'string' && isConstant(other)))) {
      yes = this.#place.comparisons.decision(`${this.#prefix(node, left)}${left}`, '==', other);
    } else {
      const names = [left ?? JSON.stringify(value), right ?? JSON.stringify(other)].join(' == ');
      yes = formulas.decision(`${this.#prefix(node, names)}${names}`);
    }
    return { yes: formulas.and(succeeds, yes), no: formulas.and(succeeds, formulas.not(yes)) };
  }

  #free(name: string): Truth {
    const decision = this.#place.formulas.decision(name);
    return { yes: decision, no: this.#place.formulas.not(decision) };
  }

  /** Notes the unguarded reads in a value, and returns when it can be evaluated. */
  readValue(node: Node | undefined, value: Json, path: string, on: Formula = ALWAYS): Formula {
    const { formulas } = this.#place;
    if (typeof value === 'string') return value.includes('{{') ? this.#readText(node, value, path, on) : ALWAYS;
    const parts = Array.isArray(value)
      ? value.map((each, index) => this.readValue(node, each, pathTo(path, index), on))
      : isJsonObject(value)
        ? Object.entries(value).map(([key, each]) => this.readValue(node, each, pathTo(path, key), on))
        : [];
    return parts.reduce((all, each) => formulas.and(all, each), ALWAYS);
  }

  #readText(node: Node | undefined, text: string, path: string, on: Formula): Formula {
    const { formulas } = this.#place;
    return expressionsIn(text).reduce((all, expression) => {
      if (!expression.includes('steps')) return all;
      const tree = expressionTree(expression);
      if (tree === undefined) return all;
      const ways = this.#waysOf(node, tree, expression);
      this.#note({ node, path, text, expression, root: tree }, ways.reads(tree, on));
      return formulas.and(all, ways.succeeds(tree));
    }, ALWAYS);
  }

  #note({ node, path, text, expression, root }: Omit<PlacedRead, 'read'>, reads: readonly StepRead[]): void {
    const { formulas, begins: of } = this.#place;
    const begins = of(node);
    for (const read of reads) {
      const when = formulas.and(begins, read.when);
      if (when !== NEVER) this.reads.push({ node, path, text, expression, root, read: { ...read, when } });
    }
  }

  #waysOf(node: Node | undefined, tree: CelNode, expression: string): ExpressionWays {
    return new ExpressionWays(tree, {
      formulas: this.#place.formulas,
      comparisons: this.#place.comparisons,
      ran: (step) => this.#place.ran(node, step),
      takes: (step, handle) => this.#place.takes(step, handle),
      prefix: this.#prefix(node, expression),
    });
  }

  /** The values of a loop differ from those of another one, and the time from step to step. */
  #prefix(node: Node | undefined, expression: string): string {
    if (/\bnow\b/.test(expression)) return `${node?.id ?? ''}: `;
    return /\bloops?\b/.test(expression) ? `${node?.parentId ?? ''}: ` : '';
  }
}

/** Returns the expression of a text that is exactly one. */
function onlyExpression(text: string): string | undefined {
  if (!text.includes('{{') || !isOneExpression(text)) return undefined;
  return expressionsIn(text)[0];
}

function expressionsIn(text: string): string[] {
  try {
    return templateParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
  } catch {
    // An expression without an end is reported elsewhere.
    return [];
  }
}
