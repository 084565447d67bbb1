import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { MASK } from './maskSecrets.ts';

/** No name that a person gives begins with a space: so no value of theirs is one of these marks by accident. */
const MARK = ' secret';

/** Stands in the place of a secret variable's value, in its row and in what an execution takes along at its start. */
export function secretMark(variableId: string): JsonObject {
  return { [MARK]: variableId };
}

export function isSecretMark(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.hasOwn(value, MARK);
}

/** Whether the values that an execution took along are not all there: a secret one is opened where it is needed. */
export function holdSecretMarks(variables: JsonObject): boolean {
  return Object.values(variables).some(isSecretMark);
}

/** Variables for people to see. */
export function shownVariables(variables: Json): Json {
  if (!isJsonObject(variables)) return variables;
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, isSecretMark(value) ? MASK : value]),
  );
}

/** The texts that nobody may read of a secret value: its own, and those of its members. */
export function textsOfSecret(value: Json): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value !== 'object') return [String(value)];
  return [JSON.stringify(value), ...Object.values(value).flatMap(textsOfSecret)];
}
