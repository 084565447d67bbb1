import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember, setKey } from '../ownMember.ts';
import { multipartBody, partsOf } from './multipartBody.ts';
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
  if (!whole && (isWhole || !body.isRequired)) return undefined;
  if (kind === 'form' || kind === 'multipart') {
    const members = isWhole && whole ? membersOf(whole) : given;
    if (kind === 'multipart') return multipartBody(members.flatMap(({ field, value }) => partsOf(field, value)));
    return { contentType, text: formText(members.flatMap(({ field, value }) => pairsOf(field, value))) };
  }
  if (isWhole && whole) return { contentType: concrete(contentType), text: wholeText(kind, whole) };
  const members: JsonObject = {};
  for (const { field, value } of given) setKey(members, field.name, value);
  return { contentType: concrete(contentType), text: JSON.stringify(members) };
}

function wholeText(kind: 'json' | 'text', { value }: Given): string {
  return kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}

/** The members of a form that is one field. */
function membersOf({ field, value }: Given): Given[] {
  if (!isJsonObject(value)) throw new UnsendableValue(`${field.key}: a form is an object`);
  return Object.entries(value).map(([name, each]) => {
    const style = { style: 'form', explode: true, isJson: isJsonObject(each) };
    return { field: { ...field, name, style }, value: each };
  });
}

function formText(pairs: readonly Pair[]): string {
  return new URLSearchParams([...pairs]).toString();
}

function concrete(contentType: string): string {
  return contentType.includes('*') ? 'application/json' : contentType;
}
