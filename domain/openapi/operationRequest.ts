import type { Json, JsonObject } from '../json.ts';
import { ownMember, setKey } from '../ownMember.ts';
import type { OperationPlan, PlannedField } from './operationPlan.ts';
import { type Pair, pairsOf, styledText, UnsendableValue } from './parameterText.ts';

export interface RequestParts {
  /** Begins with `/`. Encoded. */
  path: string;
  query: Pair[];
  headers: Record<string, string>;
  cookies: Pair[];
  body: { contentType: string; text: string } | undefined;
}

/** Builds the parts of a request from the inputs of an action. Throws UnsendableValue. */
export function requestParts(path: string, plan: OperationPlan, inputs: JsonObject): RequestParts {
  const given = plan.fields.flatMap((field) => {
    const value = ownMember(inputs, field.key);
    return value === undefined || isAbsent(field, value) ? [] : [{ field, value }];
  });
  const of = (place: PlannedField['in']) => given.filter(({ field }) => field.in === place);
  const headers: Record<string, string> = {};
  for (const { field, value } of of('header')) headers[field.name.toLowerCase()] = styledText(field, value, String);
  return {
    path: filledPath(path, of('path')),
    query: of('query').flatMap(({ field, value }) => pairsOf(field, value)),
    headers,
    cookies: of('cookie').flatMap(({ field, value }) => pairsOf(field, value)),
    body: bodyOf(plan, of('body')),
  };
}

type Given = { field: PlannedField; value: Json };

/** A value that is null or empty counts as absent, unless the service takes it. */
function isAbsent({ in: place, shape, isRequired, style }: PlannedField, value: Json): boolean {
  if (value === null) return !(place === 'body' && shape.isNullable);
  if (value !== '' || isRequired) return false;
  return place !== 'body' || shape.type !== 'string' || style.style !== 'form';
}

const SEGMENT_UP = /^(\.|%2e){1,2}$/i;

function filledPath(template: string, given: readonly Given[]): string {
  const texts = new Map(given.map(({ field, value }) => [field.name, styledText(field, value, encodeURIComponent)]));
  const path = template.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const text = texts.get(name);
    if (text === undefined || text === '') throw new UnsendableValue(`${name}: required in the path`);
    return text;
  });
  // A URL drops such segments, so a value could lead to another operation.
  if (path.split('/').some((segment) => SEGMENT_UP.test(segment))) {
    throw new UnsendableValue('a part of the path must not be . or ..');
  }
  return path.replace(/[?#\\\s]/g, encodeURIComponent);
}

function bodyOf({ body }: OperationPlan, given: readonly Given[]): RequestParts['body'] {
  if (!body) return undefined;
  const { contentType, kind, isWhole } = body;
  const [whole] = given;
  if (!whole) return body.isRequired && !isWhole ? { contentType, text: kind === 'json' ? '{}' : '' } : undefined;
  if (isWhole) return { contentType: concrete(contentType), text: wholeText(kind, whole) };
  if (kind === 'form')
    return { contentType, text: formText(given.flatMap(({ field, value }) => pairsOf(field, value))) };
  const members: JsonObject = {};
  for (const { field, value } of given) setKey(members, field.name, value);
  return { contentType: concrete(contentType), text: JSON.stringify(members) };
}

function wholeText(kind: 'json' | 'form' | 'text', { field, value }: Given): string {
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'text') return typeof value === 'string' ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnsendableValue(`${field.key}: a form is an object`);
  }
  const style = { style: 'form', explode: true, isJson: false };
  return formText(Object.entries(value).flatMap(([name, each]) => pairsOf({ ...field, name, style }, each)));
}

function formText(pairs: readonly Pair[]): string {
  return new URLSearchParams([...pairs]).toString();
}

function concrete(contentType: string): string {
  return contentType.includes('*') ? 'application/json' : contentType;
}
