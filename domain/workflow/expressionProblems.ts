import { compileValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { References } from '../expression/references.ts';
import { isJsonObject, type Json } from '../json.ts';
import { pathTo } from '../place.ts';

export interface PlacedReferences {
  path: string;
  references: References;
}

/** Compiles each text of a value separately, so that all broken expressions are reported, not only the first. */
export function checkExpressions(
  value: Json,
  path: string,
  report: (path: string, message: string) => void,
): PlacedReferences[] {
  if (typeof value === 'string') return value.includes('{{') ? checkText(value, path, report) : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => checkExpressions(item, pathTo(path, index), report));
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => checkExpressions(value[key] as Json, pathTo(path, key), report));
}

function checkText(text: string, path: string, report: (path: string, message: string) => void): PlacedReferences[] {
  try {
    return [{ path, references: compileValue(text).references }];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(path, error.message);
    return [];
  }
}
