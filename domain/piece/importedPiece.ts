import type { ConnectionType, Effect } from '../app/manifest.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { describedBy, type ImportedAction } from '../openapi/importedApp.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { pieceConnection } from './pieceConnection.ts';
import { pieceFields, textIn } from './pieceFields.ts';

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;
const EFFECTS: Readonly<Record<string, Effect>> = { READ: 'read', SEARCH: 'read', DESTRUCTIVE: 'destructive' };

export interface ImportedPiece {
  name: string;
  description?: string;
  connectionTypes: ConnectionType[];
  actions: ImportedAction[];
  /** The parts of the piece that the app does without. */
  leftOut: ProblemDetail[];
}

/** Makes an app of what a piece says about itself (runner/guest/pieceGuest.ts). `chosen`: ids of actions; default: all. */
export function importedPiece(
  described: unknown,
  chosen?: readonly string[],
): ImportedPiece | { problems: ProblemDetail[] } {
  const piece = objectOf(described as Json);
  const [actions, auths] = [objectOf(piece.actions), objectOf(piece.auths)];
  const known = Object.keys(actions).join(', ');
  const unknown = (chosen ?? []).filter((name) => !Object.hasOwn(actions, name));
  if (unknown.length > 0) {
    const message = (name: string) => `the piece has no action ${name}: expected one of ${known}`;
    return { problems: unknown.map((name) => ({ path: 'actions', message: message(name) })) };
  }
  const leftOut: ProblemDetail[] = [];
  const connectionTypes = Object.entries(auths).flatMap(([id, auth]) => {
    const made = pieceConnection(id, objectOf(auth));
    if (typeof made !== 'string') return [made];
    leftOut.push({ path: pathTo('auths', id), message: made });
    return [];
  });
  const access = { isOffered: Object.keys(auths).length > 0, isPossible: connectionTypes.length > 0 };
  const made = Object.entries(actions).flatMap(([id, action]) =>
    chosen === undefined || chosen.includes(id) ? actionOf(id, objectOf(action), access, leftOut) : [],
  );
  const triggers = Array.isArray(piece.triggers) ? piece.triggers : [];
  for (const id of triggers)
    leftOut.push({ path: pathTo('triggers', String(id)), message: 'triggers are not supported' });
  if (made.length === 0) {
    return { problems: [{ path: 'actions', message: 'the piece has no action that can be used' }, ...leftOut] };
  }
  return {
    name: textIn(piece, 'name', MAX_NAME) || 'Piece',
    ...describedBy(textIn(piece, 'description', MAX_DESCRIPTION)),
    ...{ connectionTypes, actions: made, leftOut },
  };
}

function actionOf(
  actionId: string,
  action: JsonObject,
  access: { isOffered: boolean; isPossible: boolean },
  leftOut: ProblemDetail[],
): ImportedAction[] {
  const path = pathTo('actions', actionId);
  const found = pieceFields(objectOf(action.props), pathTo(path, 'props'));
  leftOut.push(...found.leftOut.map(({ path: place, message }) => ({ path: place, message })));
  const missing = found.leftOut.find(({ isRequired }) => isRequired);
  const requiresConnection = access.isOffered && action.requireAuth !== false;
  if (missing !== undefined || (requiresConnection && !access.isPossible)) {
    const lack = missing ? `${missing.path} is required` : 'it needs a connection, which is not supported';
    leftOut.push({ path, message: `left out: ${lack}` });
    return [];
  }
  const effect = EFFECTS[String(action.classification)] ?? 'write';
  return [
    {
      ...{ actionId, name: textIn(action, 'name', MAX_NAME) || actionId },
      ...describedBy(textIn(action, 'description', MAX_DESCRIPTION)),
      ...{ inputConfig: found.inputConfig, effect, repeatable: effect === 'read' || action.isIdempotent === true },
      requiresConnection,
    },
  ];
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
