import type { Field } from '../../../domain/field.ts';
import { checkFieldValues } from '../../../domain/fieldValues.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { inPath } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Credentials } from '../../../engine/secrets/credentialVault.ts';
import { insertConnection } from '../../../prisma/store/connection/insertConnection.ts';
import type { Item } from '../../../prisma/store/items.ts';
import type { Operation } from '../../operation.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** Stores the credentials of an app, sealed, once its fields and its own check let them pass. */
export const connectWorkflowApp: Operation<'connectWorkflowApp'> = async (request) => {
  const { caller, params, body, resourceId: id, services } = request;
  const { database, catalogue, vault, connectionChecks } = services;
  const { workspaceId } = caller;
  const type = catalogue.get(params.appId)?.connectionTypes.find((one) => one.connectionId === params.connectionId);
  if (!type) throw new Problem('NOT_FOUND', 'The app or its connection type does not exist');
  if (type.type === 'oauth2') {
    throw new Problem('INTERACTIVE_CONNECTION', `${type.name} is connected in the browser, not with credentials`);
  }
  const { name = type.name, isDefault = false } = body;
  const { values, problems } = checkFieldValues(
    type.fields,
    withNumbers(type.fields, body.credentials as JsonObject),
    'reject',
  );
  if (problems.length > 0) {
    throw new Problem('VALIDATION_FAILED', 'The credentials do not fit the connection type', {
      errors: problems.map(({ path, message }) => ({ path: inPath('credentials', path), message })),
    });
  }
  const credentials = asCredentials(values);

  const about = { workflowAppId: params.appId, connectionId: params.connectionId };
  const message = await connectionChecks.get(params.appId)?.(params.connectionId, credentials, workspaceId);
  if (message !== undefined) return { id: null, name, ...about, isDefault: false, status: 'failed', message };

  const stored = await insertConnection(database, workspaceId, {
    id,
    workflowAppId: params.appId,
    connectionType: params.connectionId,
    name,
    isDefault,
    ...vault.seal({ workspaceId, connectionId: id }, credentials),
  });
  return { id, name: stored.name, ...about, isDefault: stored.isDefault, status: 'connected' };
};

/** Forms send texts, of numbers too. */
function withNumbers(fields: readonly Field[], credentials: JsonObject): JsonObject {
  const numbers = new Set(fields.filter(({ type }) => type === 'number').map(({ key }) => key));
  const isNumber = (value: Json) => typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [
      key,
      numbers.has(key) && isNumber(value) ? Number(value) : value,
    ]),
  );
}

/** Executors get texts: a list or an object as JSON. Empty fields (null) are left out. */
function asCredentials(values: JsonObject): Credentials {
  const present = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(
    present.map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}

/** With `workflowApp`, where it was asked for, as the catalogue's entry; null for an app that is no longer in it. */
export function withWorkflowApp(items: Item[], { services: { catalogue } }: ResourceRequest): Item[] {
  return items.map((item) => {
    if (typeof item.workflowApp !== 'string') return item;
    const app = catalogue.get(item.workflowApp);
    return { ...item, workflowApp: app ? { appId: app.appId, name: app.name, icon: app.icon } : null };
  });
}
