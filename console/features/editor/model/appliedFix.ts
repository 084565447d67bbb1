import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { keysOfPath } from '../../../../domain/place.ts';
import type { ProblemFix } from '../../../../domain/problem.ts';
import type { Definition } from '../../../../domain/workflow/definition.ts';

/** Returns the definition with the values of a fix. */
export function withFix(definition: Definition, { edits }: ProblemFix): Definition {
  return edits.reduce<Json>(
    (whole, { path, value }) => withValue(whole, keysOfPath(path), value),
    definition as unknown as Json,
  ) as unknown as Definition;
}

function withValue(of: Json | undefined, [key, ...rest]: readonly (string | number)[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(of)) return of.map((each, index) => (index === key ? withValue(each, rest, value) : each));
  const members = isJsonObject(of) ? of : {};
  return { ...members, [key]: withValue(members[key], rest, value) };
}
