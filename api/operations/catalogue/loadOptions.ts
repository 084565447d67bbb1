import { chooseConnection, connectionRequired } from '../../../domain/app/chooseConnection.ts';
import { isCustomApp } from '../../../domain/app/customApp.ts';
import { type ActionManifest, findAction } from '../../../domain/app/manifest.ts';
import { durationWritten } from '../../../domain/durationWords.ts';
import { isLoaded } from '../../../domain/field.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { pathTo } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { appsOfConnections, usableConnections } from '../../../prisma/store/connection/usableConnections.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { requireRunner } from '../apps/requireRunner.ts';

export const loadOptions: Operation<'loadOptions'> = async ({ caller, params, body, services, signal }) => {
  const { appId, actionId } = params;
  const { field, search = '', cursor } = body;
  const app = services.catalogue.get(appId);
  const action = findAction(services.catalogue, appId, actionId);
  if (!app || !action) throw new Problem('NOT_FOUND', 'The app or its action does not exist');
  const inputs = (body.inputs ?? {}) as JsonObject;
  requireLoadable(action, field, inputs);
  if (isCustomApp(app)) requireRunner(services.config, app.custom.runs);
  const connectionId = action.requiresConnection
    ? await connectionOf(services, caller, appId, body.connectionId)
    : undefined;
  const timeoutMs = services.config.CONNECTION_CHECK_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const asked = { workspaceId: caller.workspaceId, connectionId, inputs, search, ...(cursor ? { cursor } : {}) };
  try {
    const either = AbortSignal.any([signal, timeout]);
    const page = await services.loadOptions({ app, actionId, field }, { ...asked, signal: either });
    if (page === undefined) throw notLoadable();
    if ('fields' in page) return { fields: page.fields };
    if (page.ok) return { options: page.options, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
    const { code, message, retryAfterMs } = page.failure;
    const retryAfter = retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) };
    throw new Problem('OPTIONS_FAILED', message, { members: { reason: code }, ...retryAfter });
  } catch (error) {
    if (error instanceof Problem || !timeout.aborted) throw error;
    const message = `The service did not answer within ${durationWritten(timeoutMs)}`;
    throw new Problem('OPTIONS_FAILED', message, { members: { reason: 'TIMEOUT' } });
  }
};

/** Options may depend on fields that are not required, and so may be absent. */
function requireLoadable({ inputConfig: { fields } }: ActionManifest, key: string, inputs: JsonObject): void {
  const options = fields.find((each) => each.key === key)?.options;
  if (!isLoaded(options)) throw notLoadable();
  const required = new Set(fields.flatMap((each) => (each.required ? [each.key] : [])));
  const isMissing = (name: string) => required.has(name) && [undefined, null, ''].includes(inputs[name] as null);
  const missing = (options.dependsOn ?? []).filter(isMissing);
  if (missing.length === 0) return;
  const errors = missing.map((name) => ({ path: pathTo('inputs', name), message: 'expected a value' }));
  throw new Problem('VALIDATION_FAILED', 'The options depend on other fields', { errors });
}

function notLoadable(): Problem {
  const errors = [{ path: 'field', message: 'expected a field whose options are loaded' }];
  return new Problem('VALIDATION_FAILED', 'The field has no options to load', { errors });
}

/** Throws CONNECTION_REQUIRED, or VALIDATION_FAILED for a connection that the caller may not use. */
async function connectionOf(
  { database, catalogue }: Services,
  caller: Caller,
  appId: string,
  connectionId: string | undefined,
): Promise<string> {
  const { workspaceId } = caller;
  if (connectionId !== undefined) {
    const apps = await appsOfConnections(database, workspaceId, [connectionId], caller);
    if (apps.get(connectionId) === appId) return connectionId;
    const errors = [{ path: 'connectionId', message: 'expected a connection of the app that you may use' }];
    throw new Problem('VALIDATION_FAILED', 'The connection cannot be used', { errors });
  }
  const candidates = await usableConnections(database, workspaceId, appId, { viewer: caller });
  const chosen = chooseConnection(candidates, { defaultCounts: true });
  if (chosen) return chosen.id;
  const appName = catalogue.get(appId)?.name ?? appId;
  throw connectionRequired([{ path: 'connectionId', appId, appName, candidates }]);
}
