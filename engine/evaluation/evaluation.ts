import type { CompiledValue } from '../../domain/expression/compiledValue.ts';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import {
  INLINE_WORK,
  InlineSpent,
  LimitReached,
  MAX_WORK,
  Meter,
  metered,
  timeReason,
} from '../../domain/expression/meter.ts';
import { neededScope } from '../../domain/expression/neededScope.ts';
import { compileExpression } from '../../domain/expression/program.ts';
import type { References } from '../../domain/expression/references.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type {
  AttributesCheck,
  CheckedAttributes,
  CompiledRules,
  ObjectReference,
} from '../../domain/object/compiledRules.ts';
import { ruleProblems, schemaPlace } from '../../domain/object/ruleProblems.ts';
import {
  INLINE_SCHEMA_BYTES,
  type ObjectRules,
  SCHEMA_COMPILE_MS,
  type SchemaLimits,
} from '../../domain/object/rules.ts';
import { type ImportTemplate, importTemplate } from '../../domain/object/sampleRow.ts';
import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import { performText, type TextResult, type TextWork } from '../../domain/text/textWork.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { decideCondition, decideRepeat, decideSwitch } from '../../domain/workflow/control.ts';
import { duplicateKeyOf } from '../../domain/workflow/duplicateKey.ts';
import { type EvaluatedInputs, evaluatedInputs } from '../../domain/workflow/evaluatedInputs.ts';
import { compiledBeside } from '../../projectRoot.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { type EvaluationAnswer, type EvaluationCall, type EvaluationTask, referenceKey } from './evaluationTask.ts';

export interface EvaluationSettings {
  /** EXPRESSION_TIMEOUT_MS */
  timeoutMs: number;
  /** EXPRESSION_THREADS */
  threads: number;
  /** MAX_OUTPUT_BYTES */
  maxResultBytes: number;
  /** OBJECT_SCHEMA_INLINE_BYTES */
  inlineSchemaBytes?: number;
  /** OBJECT_SCHEMA_COMPILE_MS */
  schemaCompileMs?: number;
}

/** A thread that needs more is ended, without effect on the others. */
const THREAD_MEMORY_MB = 384;
/** The thread's own clock starts once it has its values, and its failure names the place. */
const GRACE_MS = 1_000;
const PATIENCE_MS = 30_000;

/** Evaluates tenants' expressions inline; after some milliseconds starts again in a thread. They are pure. */
export class Evaluation {
  readonly #settings: Required<EvaluationSettings>;
  readonly #pool: ThreadPool<EvaluationCall, EvaluationAnswer>;

  constructor(settings: EvaluationSettings) {
    this.#settings = { inlineSchemaBytes: INLINE_SCHEMA_BYTES, schemaCompileMs: SCHEMA_COMPILE_MS, ...settings };
    this.#pool = new ThreadPool({
      most: settings.threads,
      entry: compiledBeside(import.meta.url, 'evaluationThread.js'),
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
      graceMs: GRACE_MS,
    });
  }

  /** Throws ExpressionError, or RangeError for values that are too deep, like the methods below. */
  inputs(workspaceId: string, compiled: CompiledNode, scope: Scope): EvaluatedInputs | Promise<EvaluatedInputs> {
    return this.run(
      workspaceId,
      () => evaluatedInputs(compiled, scope),
      () => nodeTask('inputs', compiled, compiled.references, scope),
    );
  }

  condition(workspaceId: string, compiled: CompiledNode, scope: Scope): boolean | Promise<boolean> {
    return this.run(
      workspaceId,
      () => decideCondition(compiled, scope),
      () => nodeTask('condition', compiled, compiled.references, scope),
    );
  }

  switch(workspaceId: string, compiled: CompiledNode, scope: Scope): string | Promise<string> {
    return this.run(
      workspaceId,
      () => decideSwitch(compiled, scope),
      () => nodeTask('switch', compiled, compiled.references, scope),
    );
  }

  continues(
    workspaceId: string,
    { compiled, which, condition }: { compiled: CompiledNode; which: 'while' | 'until'; condition: CompiledValue },
    scope: Scope,
  ): boolean | Promise<boolean> {
    return this.run(
      workspaceId,
      () => decideRepeat(condition, which, compiled.node.inputs?.[which], scope),
      () => nodeTask(which, compiled, condition.references, scope),
    );
  }

  value(workspaceId: string, compiled: CompiledValue, scope: Scope): Json | Promise<Json> {
    return this.run(
      workspaceId,
      () => compiled.evaluate(scope),
      () => ({ kind: 'value', value: compiled.source, scope: neededScope(compiled.references, scope) }),
    );
  }

  expression(workspaceId: string, text: string, scope: Scope): Json | Promise<Json> {
    const program = compileExpression(text);
    return this.run(
      workspaceId,
      () => program.evaluate(scope),
      () => ({ kind: 'expression', text, scope }),
    );
  }

  key(workspaceId: string, compiled: CompiledValue, source: string, trigger: Json): string | Promise<string> {
    return this.run(
      workspaceId,
      () => duplicateKeyOf(compiled, source, trigger),
      () => ({ kind: 'key', source, trigger }),
    );
  }

  /** Runs an action of the app `text`. Throws LimitReached. */
  text(workspaceId: string, work: TextWork): TextResult | Promise<TextResult> {
    const mostBytes = this.#settings.maxResultBytes;
    return this.run(
      workspaceId,
      () => performText(work, mostBytes),
      () => ({ kind: 'text', work, mostBytes }),
    );
  }

  /** Checks the attributes of entities. Throws Problem EXPRESSION_LIMIT if a check takes too much. */
  attributesCheck(workspaceId: string): AttributesCheck {
    return (rules, attributes, exists) => {
      try {
        if (this.#isInline(rules)) return metered(this.#inlineMeter(), () => rules.check(attributes, exists));
      } catch (error) {
        if (!(error instanceof InlineSpent)) throw error;
      }
      return this.#checkedElsewhere(workspaceId, rules, attributes, exists).catch(asProblem);
    };
  }

  /** A thread cannot look up references: the missing ones are found after each round and sent with the next. */
  async #checkedElsewhere(
    workspaceId: string,
    compiled: CompiledRules,
    attributes: JsonObject,
    exists: (reference: ObjectReference) => boolean = () => true,
  ): Promise<CheckedAttributes> {
    const rules = textOf(compiled);
    const compileMs = this.#isInline(compiled) ? 0 : this.#settings.schemaCompileMs;
    const lost = new Set<string>();
    for (;;) {
      const task = { kind: 'rules', rules, attributes, lost: [...lost] } as const;
      const checked = await this.#elsewhere<CheckedAttributes>(workspaceId, task, compileMs);
      const before = lost.size;
      for (const each of checked.references) if (!exists(each)) lost.add(referenceKey(each));
      if (lost.size === before) return checked;
    }
  }

  /** Returns all problems of a type's rules, including a compile time that is too long. */
  ruleProblems(
    workspaceId: string,
    rules: ObjectRules,
    limits: SchemaLimits,
  ): ProblemDetail[] | Promise<ProblemDetail[]> {
    if (this.#isInline({ schemaLength: JSON.stringify(rules.attributeSchema).length }))
      return ruleProblems(rules, limits);
    return this.#elsewhere<ProblemDetail[]>(workspaceId, { kind: 'ruleProblems', rules, limits }).catch((error) => {
      if (!(error instanceof LimitReached)) throw error;
      return [{ path: schemaPlace(rules), message: error.message }];
    });
  }

  /** `known`: an id of an entity of each type, by slug. */
  template(
    workspaceId: string,
    name: string,
    rules: CompiledRules,
    known: ReadonlyMap<string, string>,
  ): ImportTemplate | Promise<ImportTemplate> {
    if (this.#isInline(rules)) return importTemplate(name, rules, (slug) => known.get(slug));
    const task = { kind: 'template', name, rules: textOf(rules), known } as const;
    return this.#elsewhere<ImportTemplate>(workspaceId, task).catch(asProblem);
  }

  #isInline({ schemaLength }: Pick<CompiledRules, 'schemaLength'>): boolean {
    return schemaLength <= this.#settings.inlineSchemaBytes;
  }

  #inlineMeter(): Meter {
    return new Meter({ work: INLINE_WORK, resultBytes: this.#settings.maxResultBytes, isInline: true });
  }

  /** Throws like the evaluation; RATE_LIMITED if no thread becomes free in time. */
  run<T>(workspaceId: string, inline: () => T, task: () => EvaluationTask): T | Promise<T> {
    try {
      return metered(this.#inlineMeter(), inline);
    } catch (error) {
      if (!(error instanceof InlineSpent)) throw error;
    }
    return this.#elsewhere<T>(workspaceId, task());
  }

  /** `compileMs`: extra time to compile the task's schema. */
  async #elsewhere<T>(workspaceId: string, task: EvaluationTask, compileMs = 0): Promise<T> {
    const { timeoutMs, maxResultBytes, schemaCompileMs } = this.#settings;
    const isOfSchema = task.kind === 'ruleProblems' || task.kind === 'template';
    const mostMs = isOfSchema ? schemaCompileMs : timeoutMs + compileMs;
    const limits = { work: MAX_WORK, resultBytes: maxResultBytes, timeMs: timeoutMs };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const answer = await this.#pool.run({ task, limits }, { workspaceId, timeoutMs: mostMs, signal });
      if (answer === 'outOfTime') throw limitOf(task, isOfSchema ? compileReason(mostMs) : timeReason(timeoutMs));
      return valueIn<T>(answer);
    } catch (error) {
      if (signal.aborted && error === signal.reason) {
        throw new Problem('RATE_LIMITED', 'Too many evaluations of this workspace wait for a thread', {
          retryAfter: 1,
        });
      }
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      throw limitOf(task, `the expression needs more than ${THREAD_MEMORY_MB} MiB of memory`);
    }
  }
}

function nodeTask(
  part: Extract<EvaluationTask, { kind: 'node' }>['part'],
  { node }: CompiledNode,
  references: References,
  scope: Scope,
): EvaluationTask {
  return { kind: 'node', part, node, scope: neededScope(references, scope) };
}

function asProblem(error: unknown): never {
  if (!(error instanceof LimitReached)) throw error;
  const path = error.place ?? 'attributes';
  throw new Problem('EXPRESSION_LIMIT', `${path}: ${error.message}`, { errors: [{ path, message: error.message }] });
}

function textOf({ attributeSchema, stateSchema, allowUnknownAttributes, isOfItems }: CompiledRules): string {
  const rules = { attributeSchema, stateSchema, allowUnknownAttributes };
  return JSON.stringify({ ...rules, ...(isOfItems ? { isOfItems } : {}) } satisfies ObjectRules);
}

function compileReason(timeMs: number): string {
  return `the schema takes more than ${timeMs} ms to compile (OBJECT_SCHEMA_COMPILE_MS)`;
}

function limitOf(task: EvaluationTask, reason: string): Error {
  if (task.kind === 'ruleProblems' || task.kind === 'template') return new LimitReached(reason, 'attributeSchema');
  if (task.kind === 'rules' || task.kind === 'text') return new LimitReached(reason);
  const text = task.kind === 'key' ? task.source : task.kind === 'expression' ? task.text : '…';
  return new ExpressionError({ code: 'EXPRESSION_LIMIT', reason, text, position: 0 });
}

function valueIn<T>(answer: EvaluationAnswer): T {
  switch (answer.kind) {
    case 'value':
      return answer.value as T;
    case 'failed':
      throw new ExpressionError(answer.fault, answer.path);
    case 'limit':
      throw new LimitReached(answer.reason, answer.place);
    case 'range':
      throw new RangeError(answer.message);
    case 'broken':
      throw new Error(`An evaluation failed: ${answer.message}`);
  }
}
