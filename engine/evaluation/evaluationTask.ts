import { LRUCache } from 'lru-cache';
import type { Catalogue } from '../../domain/app/manifest.ts';
import { compileValue } from '../../domain/expression/compiledValue.ts';
import { ExpressionError, type ExpressionFault } from '../../domain/expression/expressionError.ts';
import { LimitReached, Meter, type MeterLimits, metered } from '../../domain/expression/meter.ts';
import { compileExpression } from '../../domain/expression/program.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { type CompiledRules, compileRules, type ObjectReference } from '../../domain/object/compiledRules.ts';
import { ruleProblems } from '../../domain/object/ruleProblems.ts';
import type { ObjectRules, SchemaLimits } from '../../domain/object/rules.ts';
import { importTemplate } from '../../domain/object/sampleRow.ts';
import { performText, type TextWork } from '../../domain/text/textWork.ts';
import { compileNode } from '../../domain/workflow/compile.ts';
import { decideCondition, decideRepeat, decideSwitch } from '../../domain/workflow/control.ts';
import type { Node } from '../../domain/workflow/definition.ts';
import { duplicateKeyOf, duplicateKeyTemplate } from '../../domain/workflow/duplicateKey.ts';
import { evaluatedInputs } from '../../domain/workflow/evaluatedInputs.ts';

export type NodePart = 'inputs' | 'condition' | 'switch' | 'while' | 'until';

/** An evaluation for a thread: sources and values, since compiled forms cannot be sent. */
export type EvaluationTask =
  | { kind: 'node'; part: NodePart; node: Node; scope: Scope }
  | { kind: 'value'; value: Json; scope: Scope }
  | { kind: 'expression'; text: string; scope: Scope }
  | { kind: 'key'; source: string; trigger: Json }
  | { kind: 'text'; work: TextWork; mostBytes: number }
  /** `rules`: ObjectRules as JSON. `lost`: keys of references to missing entities. */
  | { kind: 'rules'; rules: string; attributes: JsonObject; lost: readonly string[] }
  | SchemaTask;

/** Work on a schema itself. It has no budget; only the end of its thread limits it. */
export type SchemaTask =
  | { kind: 'ruleProblems'; rules: ObjectRules; limits: SchemaLimits }
  | { kind: 'template'; name: string; rules: string; known: ReadonlyMap<string, string> };

export interface EvaluationCall {
  task: EvaluationTask;
  limits: Omit<MeterLimits, 'clock'> & { timeMs: number };
}

/** `range`: a value is too deep for the stack, or a text too long for the engine. */
export type EvaluationAnswer =
  | { kind: 'value'; value: unknown }
  | { kind: 'failed'; fault: ExpressionFault; path: string }
  | { kind: 'limit'; reason: string; place?: string }
  | { kind: 'range'; message: string }
  | { kind: 'broken'; message: string };

export function performEvaluation({ task, limits }: EvaluationCall): EvaluationAnswer {
  const { timeMs, ...others } = limits;
  try {
    if (task.kind === 'ruleProblems') return { kind: 'value', value: ruleProblems(task.rules, task.limits) };
    if (task.kind === 'template') {
      return { kind: 'value', value: importTemplate(task.name, keptRules(task.rules), (slug) => task.known.get(slug)) };
    }
    // The entity's budget excludes compiling the schema.
    if (task.kind === 'rules') keptRules(task.rules).prepare();
    const meter = new Meter({ ...others, clock: { now: () => performance.now(), timeMs } });
    return { kind: 'value', value: metered(meter, () => PERFORM[task.kind](task as never)) };
  } catch (error) {
    if (error instanceof ExpressionError) {
      const { code, reason, text, position, expected, path } = error;
      return { kind: 'failed', fault: { code, reason, text, position, expected }, path };
    }
    if (error instanceof LimitReached) return { kind: 'limit', reason: error.message, ...placeOf(error) };
    if (error instanceof RangeError) return { kind: 'range', message: error.message };
    return { kind: 'broken', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function placeOf({ place }: LimitReached): { place?: string } {
  return place === undefined ? {} : { place };
}

type Metered = Exclude<EvaluationTask, SchemaTask>;
type Perform = { [K in Metered['kind']]: (task: Extract<Metered, { kind: K }>) => unknown };

const PERFORM: Perform = {
  node: ({ part, node, scope }) => PARTS[part](node, scope),
  value: ({ value, scope }) => kept('value', value, compileValue).evaluate(scope),
  expression: ({ text, scope }) => kept('expression', text, compileExpression).evaluate(scope),
  key: ({ source, trigger }) =>
    duplicateKeyOf(kept('value', duplicateKeyTemplate(source), compileValue), source, trigger),
  text: ({ work, mostBytes }) => performText(work, mostBytes),
  rules({ rules, attributes, lost }) {
    const keys = new Set(lost);
    return keptRules(rules).check(attributes, (reference) => !keys.has(referenceKey(reference)));
  },
};

export function referenceKey({ path, slug, id }: ObjectReference): string {
  return JSON.stringify([path, slug, id]);
}

const NO_ACTIONS: Catalogue = new Map();

const PARTS: Readonly<Record<NodePart, (node: Node, scope: Scope) => unknown>> = {
  inputs: (node, scope) => evaluatedInputs(compiledNode(node), scope),
  condition: (node, scope) => decideCondition(compiledNode(node), scope),
  switch: (node, scope) => decideSwitch(compiledNode(node), scope),
  while: (node, scope) => continues(node, 'while', scope),
  until: (node, scope) => continues(node, 'until', scope),
};

function continues(node: Node, which: 'while' | 'until', scope: Scope): boolean {
  const compiled = compiledNode(node).repeat?.[which];
  if (compiled === undefined) throw new Error(`${node.id} has no ${which}`);
  return decideRepeat(compiled, which, node.inputs?.[which], scope);
}

function compiledNode(node: Node) {
  return kept('node', node, (given) => compileNode(given, NO_ACTIONS));
}

function keptRules(rules: string): CompiledRules {
  return kept('rules', rules, (text) => compileRules(JSON.parse(text) as ObjectRules));
}

/** Characters of sources whose compiled form is cached; that needs about ten times as much memory. */
const KEPT = 2_000_000;
const compiled = new LRUCache<string, object>({ maxSize: KEPT });

function kept<S, T extends object>(kind: string, source: S, compile: (source: S) => T): T {
  const key = `${kind} ${JSON.stringify(source)}`;
  const known = compiled.get(key);
  if (known) return known as T;
  const made = compile(source);
  compiled.set(key, made, { size: key.length });
  return made;
}
