import { canonicalFields, checkFields } from '../fieldDeclaration.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { memberIfPresent } from '../workflow/nodeShape.ts';
import type { Problems } from '../workflow/problems.ts';
import { Shape } from '../workflow/shape.ts';
import { readOutputSchema } from './customOutputSchema.ts';
import { type ActionManifest, EFFECTS, type InputConfig } from './manifest.ts';

const ACTION_ID = /^[A-Za-z0-9_][A-Za-z0-9_./:@#$~+-]{0,127}$/;
const MAX_NAME = 200;
const MAX_TEXT = 4000;
const MAX_TIMEOUT_MS = 31_536_000_000;

interface Allowed {
  maxActions: number;
  /** The app has a type of connection. */
  isConnected: boolean;
}

export function readActions(app: Shape, problems: Problems, { maxActions, isConnected }: Allowed): ActionManifest[] {
  const list = app.list('actions') ?? [];
  if (!app.has('actions') || list.length === 0) app.problem('actions', 'required: expected at least one action');
  if (list.length > maxActions) {
    app.problem('actions', `${list.length} actions, at most ${maxActions} are allowed (MAX_APP_ACTIONS)`);
    return [];
  }
  const places = new Map<string, string>();
  return list.flatMap((given, index) => {
    const path = pathTo('actions', index);
    if (!isJsonObject(given)) {
      problems.add(path, `expected an action, got ${kindOfJson(given)}`);
      return [];
    }
    return readAction(given, path, problems, { places, isConnected });
  });
}

function readAction(
  given: JsonObject,
  path: string,
  problems: Problems,
  { places, isConnected }: { places: Map<string, string>; isConnected: boolean },
): ActionManifest[] {
  const shape = new Shape(given, path, problems);
  const actionId = readId(shape, path, places);
  const effect = shape.oneOf('effect', EFFECTS) ?? 'write';
  const repeatable = flag(shape, 'repeatable');
  if (effect === 'read' && repeatable === false) shape.problem('repeatable', 'a read is always repeatable');
  const requiresConnection = flag(shape, 'requiresConnection') ?? false;
  if (requiresConnection && !isConnected) {
    shape.problem('requiresConnection', 'the app has no connectionTypes: expected false');
  }
  const timeoutMs = readTime(shape, 'timeoutMs');
  const heartbeatTimeoutMs = readTime(shape, 'heartbeatTimeoutMs');
  const outputExample = shape.take('outputExample') as ActionManifest['outputExample'];
  const action = {
    ...{ name: shape.text('name', MAX_NAME) ?? actionId ?? '', description: readDescription(shape) },
    ...{ inputConfig: readInputConfig(shape, problems), effect, repeatable: effect === 'read' || repeatable === true },
    ...memberIfPresent('outputExample', outputExample),
    ...memberIfPresent('outputSchema', readOutputSchema(shape)),
    ...{ requiresConnection, permissions: [], placement: 'remote' as const },
    ...memberIfPresent('timeoutMs', timeoutMs),
    ...memberIfPresent('heartbeatTimeoutMs', heartbeatTimeoutMs),
  };
  shape.refuseOthers('an action');
  return actionId === undefined ? [] : [{ actionId, ...action }];
}

function readTime(shape: Shape, member: string): number | undefined {
  return shape.number(
    member,
    `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
    (value) => Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_MS,
  );
}

/** May be empty, as in an app that was exported. */
export function readDescription(shape: Shape): string {
  return shape.take('description') === '' ? '' : (shape.text('description', MAX_TEXT) ?? '');
}

function readId(shape: Shape, path: string, places: Map<string, string>): string | undefined {
  if (!shape.has('actionId')) shape.problem('actionId', 'required: expected the id of the action in the app');
  const id = shape.text('actionId', 128);
  if (id === undefined) return undefined;
  if (!ACTION_ID.test(id)) {
    shape.problem('actionId', 'expected a letter, digit or _, then up to 127 of these or . / : @ # $ ~ + -');
    return undefined;
  }
  const first = places.get(id);
  if (first === undefined) places.set(id, path);
  else shape.problem('actionId', `the id ${id} is already used at ${first}`);
  return id;
}

function flag(shape: Shape, member: string): boolean | undefined {
  const value = shape.take(member);
  if (value === undefined || typeof value === 'boolean') return value;
  shape.problem(member, `expected true or false, got ${kindOfJson(value)}`);
  return undefined;
}

function readInputConfig(action: Shape, problems: Problems): InputConfig {
  const given = action.object('inputConfig');
  if (given === undefined) return { fields: [] };
  const path = action.place('inputConfig');
  const shape = new Shape(given, path, problems);
  const fields = shape.take('fields') ?? [];
  const found = checkFields(fields, pathTo(path, 'fields'), 'ofApp');
  for (const problem of found) problems.report(problem);
  const known = found.length === 0 ? canonicalFields(fields as JsonObject[], 'ofApp') : undefined;
  const keysOfJson = new Set((known ?? []).flatMap(({ key, type }) => (type === 'json' ? [key] : [])));
  const objects = readKeys(shape, problems, 'objects', known && keysOfJson);
  const mostlyObjects = readKeys(shape, problems, 'mostlyObjects', known && keysOfJson);
  shape.refuseOthers('an inputConfig');
  return {
    fields: known ?? [],
    ...memberIfPresent('objects', objects),
    ...memberIfPresent('mostlyObjects', mostlyObjects),
  };
}

/** `known`: the keys that may be named; undefined if the fields have problems. */
function readKeys(
  shape: Shape,
  problems: Problems,
  member: string,
  known: ReadonlySet<string> | undefined,
): string[] | undefined {
  const list = shape.list(member);
  for (const [index, key] of (list ?? []).entries()) {
    if (known === undefined || known.has(String(key))) continue;
    problems.add(pathTo(shape.place(member), index), 'expected the key of a field of type json');
  }
  return list as string[] | undefined;
}
