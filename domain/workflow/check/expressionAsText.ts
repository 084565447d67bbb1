import { compileExpression, expressionTree } from '../../expression/program.ts';
import { templateParts } from '../../expression/template.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { pathTo } from '../../place.ts';
import type { ProblemDetail } from '../../problem.ts';

/** Operators and parts of an expression that need no brackets when they are moved into another one. */
const WHOLE: ReadonlySet<string> = new Set(['id', 'value', '.', '[]', 'call', 'rcall', 'list', 'map']);

/** A comparison or a logical operator; a text rarely has one behind an expression. */
const OPERATOR = /^\s*(?:==|!=|>=|<=|&&|\|\||[<>](?![/!\w]))\s*\S/;

export type AsText = Pick<ProblemDetail, 'message' | 'code' | 'severity' | 'fix'>;

/** Returns the problem of `{{ a }} > 300` where a text cannot be meant; undefined for any other text. */
export function textAsExpression(value: unknown, path: string): AsText | undefined {
  const moved = movedInside(value);
  if (moved === undefined) return undefined;
  const message = `the text outside {{ }} is not part of the expression, so the value is always text: write ${moved}`;
  return { message, code: 'EXPRESSION_AS_TEXT', severity: 'error', fix: fixOf(path, moved) };
}

/** Returns warnings for texts in a value of any kind that look like an expression. */
export function textsAsExpressions(value: Json, path: string): (AsText & { path: string })[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => textsAsExpressions(each, pathTo(path, index)));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, each]) => textsAsExpressions(each, pathTo(path, key)));
  }
  if (typeof value !== 'string' || !value.startsWith('{{')) return [];
  const moved = hasOperator(value) ? movedInside(value) : undefined;
  if (moved === undefined) return [];
  const message = `is text, since what follows }} is not part of the expression; if a comparison is meant, write ${moved}`;
  return [{ path, message, code: 'EXPRESSION_AS_TEXT', severity: 'warning', fix: fixOf(path, moved) }];
}

function fixOf(path: string, value: string): ProblemDetail['fix'] {
  return { label: 'move the text into {{ }}', edits: [{ path, value }] };
}

function hasOperator(text: string): boolean {
  const [, second] = partsOf(text);
  return typeof second === 'string' && OPERATOR.test(second);
}

function partsOf(text: string) {
  try {
    return templateParts(text);
  } catch {
    // An expression without an end is reported elsewhere.
    return [];
  }
}

/** Returns the text as one expression, if it is a valid one. */
function movedInside(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.includes('{{')) return undefined;
  const parts = partsOf(value);
  if (!parts.some((part) => typeof part === 'string' && part.trim() !== '')) return undefined;
  const whole = parts
    .map((part) => (typeof part === 'string' ? part : bracketed(part.expression)))
    .join('')
    .trim();
  try {
    compileExpression(whole);
    return `{{ ${whole} }}`;
  } catch {
    return undefined;
  }
}

function bracketed(expression: string): string {
  const tree = expressionTree(expression);
  return tree !== undefined && WHOLE.has(tree.op) ? expression : `(${expression})`;
}
