import { inputExpectation, inputValueProblem, takesObject } from '../app/inputValue.ts';
import { type ActionManifest, type Catalogue, findAction, type InputConfig } from '../app/manifest.ts';
import { holdsExpression, isOneExpression } from '../expression/template.ts';
import type { FieldType, InputField } from '../field.ts';
import { unknownKey } from '../fieldType.ts';
import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import { textAsExpression, textsAsExpressions } from './check/expressionAsText.ts';
import type { PlacedNode } from './nodeShape.ts';
import type { Problems } from './problems.ts';

export function checkAction({ node, path }: PlacedNode, catalogue: Catalogue, problems: Problems): void {
  const { id, appId, actionId } = node;
  if (appId === undefined) problems.add(pathTo(path, 'appId'), 'required for an action', id);
  if (actionId === undefined) problems.add(pathTo(path, 'actionId'), 'required for an action', id);
  if (appId === undefined || actionId === undefined) return;
  const app = catalogue.get(appId);
  if (app === undefined) {
    problems.add(pathTo(path, 'appId'), `there is no app ${appId}`, id);
    return;
  }
  const action = findAction(catalogue, appId, actionId);
  if (action === undefined) {
    const known = app.actions.map((one) => one.actionId).join(', ');
    problems.add(pathTo(path, 'actionId'), `the app ${appId} has no action ${actionId}, expected one of ${known}`, id);
    return;
  }
  const place = pathTo(path, 'inputs');
  const inputs = node.inputs ?? {};
  checkInputs(inputs, action, place, (at, message) => {
    const asText = textAsExpression(valueAt(inputs, action, place, at), at);
    problems.report({ path: at, message, nodeId: id, ...asText });
  });
  for (const { key } of action.inputConfig.fields.filter(({ type }) => type === 'json')) {
    const value = ownMember(inputs, key);
    if (value === undefined) continue;
    for (const problem of textsAsExpressions(value, pathTo(place, key))) problems.report({ ...problem, nodeId: id });
  }
}

/** Returns the value of the field at a place, unless the field takes text. */
function valueAt(inputs: JsonObject, { inputConfig }: ActionManifest, place: string, at: string): Json | undefined {
  const field = inputConfig.fields.find(({ key }) => pathTo(place, key) === at);
  return field && TYPED.includes(field.type) ? ownMember(inputs, field.key) : undefined;
}

/** Types whose values are never text around an expression. */
const TYPED: readonly FieldType[] = ['number', 'boolean', 'multiSelect'];

export function checkInputs(
  inputs: JsonObject,
  { inputConfig }: Pick<ActionManifest, 'inputConfig'>,
  path: string,
  report: (path: string, message: string) => void,
): void {
  const keys = inputConfig.fields.map(({ key }) => key);
  for (const field of inputConfig.fields) {
    const value = ownMember(inputs, field.key);
    const wrong = inputProblem(inputConfig, field, value);
    if (wrong !== undefined) report(pathTo(path, field.key), wrong);
  }
  for (const key of Object.keys(inputs)) {
    if (!keys.includes(key)) report(pathTo(path, key), unknownKey(keys));
  }
}

function inputProblem(config: InputConfig, field: InputField, value: Json | undefined): string | undefined {
  const given = value === undefined ? field.default : value;
  const takesEmptyText = field.type === 'json' && !takesObject(config, field);
  const empty = given === undefined || given === null || (given === '' && !takesEmptyText);
  if (empty) return field.required ? `required: expected ${inputExpectation(config, field)}` : undefined;
  return isLeftOpen(config, field, given) ? undefined : inputValueProblem(config, field, given);
}

function isLeftOpen(config: InputConfig, field: InputField, value: Json): boolean {
  if (!holdsExpression(value)) return false;
  if (takesObject(config, field)) return typeof value === 'string' && isOneExpression(value);
  if (typeof value !== 'string') return field.type === 'json' || (field.type === 'multiSelect' && Array.isArray(value));
  // Text around an expression always gives a text, which cannot be a number, boolean or list.
  return isOneExpression(value) || !TYPED.includes(field.type);
}
