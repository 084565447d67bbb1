import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { setKey } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import { ExpressionError } from './expressionError.ts';
import { jsonSize } from './jsonSize.ts';
import { activeMeter, asUnit, LimitReached } from './meter.ts';
import { compileExpression, type Program } from './program.ts';
import { NO_REFERENCES, type References, unionOfReferences } from './references.ts';
import type { Scope } from './scope.ts';
import { templateParts } from './template.ts';

export interface CompiledValue {
  source: Json;
  references: References;
  /**
   * Throws ExpressionError with its path, and InlineSpent. The result shares parts with the scope: do not change it.
   */
  evaluate(scope: Scope): Json;
}

/** Undefined for a constant part. */
type Evaluation = ((scope: Scope) => Json) | undefined;

/** A text that is one expression takes the type of its result. Throws ExpressionError for the first broken one. */
export function compileValue(value: Json): CompiledValue {
  const references: References[] = [];
  const evaluation = compilePart(value, '', references);
  return {
    source: value,
    references: references.length === 0 ? NO_REFERENCES : unionOfReferences(references),
    evaluate: evaluation === undefined ? () => value : (scope) => asUnit(() => evaluation(scope)),
  };
}

function compilePart(value: Json, path: string, references: References[]): Evaluation {
  if (typeof value === 'string') return compileText(value, path, references);
  if (Array.isArray(value)) return compileList(value, path, references);
  if (isJsonObject(value)) return compileObject(value, path, references);
  return undefined;
}

function compileText(text: string, path: string, references: References[]): Evaluation {
  if (!text.includes('{{')) return undefined;
  const parts = located(path, () =>
    templateParts(text).map((part) => (typeof part === 'string' ? part : compileExpression(part.expression))),
  );
  for (const part of parts) if (typeof part !== 'string') references.push(part.references);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return evaluated(only, path);
  const pieces = parts.map((part) => (typeof part === 'string' ? part : (scope: Scope) => pieceOf(part, scope)));
  return (scope) =>
    located(path, () => pieces.map((piece) => (typeof piece === 'string' ? piece : piece(scope))).join(''));
}

function evaluated(program: Program, path: string): (scope: Scope) => Json {
  return (scope) =>
    located(path, () => {
      const value = program.evaluate(scope);
      countResult(value, program);
      return value;
    });
}

/** Counts a result before it becomes a text; otherwise large pieces could fill the memory first. */
function pieceOf(program: Program, scope: Scope): string {
  const value = program.evaluate(scope);
  countResult(value, program);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value that is referenced several times counts each time, because it is written each time. */
function countResult(value: Json, { text }: Program): void {
  const meter = activeMeter();
  if (meter === undefined) return;
  try {
    meter.result(jsonSize(value, meter.resultsLeft));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    throw new ExpressionError({ code: 'EXPRESSION_LIMIT', reason: error.message, text, position: 0 });
  }
}

function located<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ExpressionError ? error.at(path) : error;
  }
}

function compileList(list: Json[], path: string, references: References[]): Evaluation {
  const parts = list.map((item, index) => compilePart(item, pathTo(path, index), references));
  if (parts.every((part) => part === undefined)) return undefined;
  return (scope) =>
    list.map((item, index) => {
      const part = parts[index];
      return part === undefined ? item : part(scope);
    });
}

function compileObject(object: JsonObject, path: string, references: References[]): Evaluation {
  const parts = Object.keys(object).map(
    (key) => [key, object[key] as Json, compilePart(object[key] as Json, pathTo(path, key), references)] as const,
  );
  if (parts.every(([, , part]) => part === undefined)) return undefined;
  return (scope) => {
    const result: JsonObject = {};
    for (const [key, item, part] of parts) setKey(result, key, part === undefined ? item : part(scope));
    return result;
  };
}
