import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { MASK } from './maskSecrets.ts';

/** Variable names cannot begin with a space, so a user's value never equals this mark by accident. */
const MARK = ' secret';

/** Returns the placeholder for a secret variable's value, in its row and in the variables copied to an execution. */
export function secretMark(variableId: string): JsonObject {
  return { [MARK]: variableId };
}

export function isSecretMark(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.hasOwn(value, MARK);
}

/** Whether some values are placeholders. Secret values are unsealed only when they are needed. */
export function holdSecretMarks(variables: JsonObject): boolean {
  return Object.values(variables).some(isSecretMark);
}

export function shownVariables(variables: Json): Json {
  if (!isJsonObject(variables)) return variables;
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, isSecretMark(value) ? MASK : value]),
  );
}

/** Returns the texts to mask for a secret value: its own, and those of its members. */
export function textsOfSecret(value: Json): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value !== 'object') return [String(value)];
  return [JSON.stringify(value), ...Object.values(value).flatMap(textsOfSecret)];
}
