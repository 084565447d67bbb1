import { randomUUID } from 'node:crypto';
import type { Permission } from '../../../domain/access/permission.ts';
import type { Field } from '../../../domain/field.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Api, ApiAnswer } from './client.ts';

export interface ShownAction {
  appId: string;
  actionId: string;
  permissions: Permission[];
  requiresConnection: boolean;
  inputConfig: { fields: Field[] };
}

export async function shownActions(call: Api): Promise<ShownAction[]> {
  const { body } = await call('GET', '/api/workflow-apps');
  return body.flatMap(({ appId, actions }: { appId: string; actions: object[] }) =>
    actions.map((action) => ({ appId, ...action })),
  );
}

const SAMPLES: Record<Field['type'], JsonObject[string]> = {
  ...{ text: 'x', longText: 'return 1', number: 1, boolean: true, date: '2026-11-21T10:15:30.000Z' },
  ...{ select: 'x', multiSelect: [], json: {}, secret: 'x' },
};

/** Returns inputs that the definition accepts, although the action may reject them. */
export function sampleInputs({ inputConfig }: ShownAction): JsonObject {
  const required = inputConfig.fields.filter((field) => field.required);
  return Object.fromEntries(
    required.map(({ key, type, options }) => [
      key,
      (Array.isArray(options) ? options[0]?.value : undefined) ?? SAMPLES[type],
    ]),
  );
}

/** A request with the permission of its operation, and the further permissions that it needs, by path. */
export interface Way {
  what: string;
  door: Permission;
  needs: { permission: Permission; path: string }[];
  send(call: Api): Promise<ApiAnswer>;
}

type Node = JsonObject & { id: string };

/** Returns requests that store or run something. `projectId` is a separate project. */
export function waysOf(projectId: string) {
  const needsOf = (needs: [string, Permission][]) => needs.map(([path, permission]) => ({ path, permission }));
  return {
    run: (what: string, step: JsonObject, needs: [string, Permission][]): Way => ({
      ...{ what: `actions/run ${what}`, door: 'executions:run', needs: needsOf(needs) },
      send: (call) => call('POST', '/api/actions/run', { body: step }),
    }),
    runs: (what: string, step: JsonObject, needs: [string, Permission][]): Way => ({
      ...{ what: `runs ${what}`, door: 'executions:run', needs: needsOf(needs) },
      send: (call) => call('POST', '/api/runs', { body: { steps: [step] } }),
    }),
    test: (
      what: string,
      { workflowId, body = {} }: { workflowId: string; body?: object },
      needs: [string, Permission][],
    ): Way => ({
      ...{ what: `node test ${what}`, door: 'executions:run', needs: needsOf(needs) },
      send: (call) => call('POST', `/api/workflows/${workflowId}/nodes/n/test`, { body }),
    }),
    workflow: (what: string, definition: object, needs: [string, Permission][]): Way => ({
      ...{ what: `upsert of a workflow ${what}`, door: 'workflows:write', needs: needsOf(needs) },
      send: (call) =>
        call('POST', `/api/projects/${projectId}/workflows/upsert`, {
          body: { slug: `w-${randomUUID()}`, ...definition },
        }),
    }),
    agent: (what: string, settings: object, needs: [string, Permission][]): Way => ({
      ...{ what: `upsert of an agent ${what}`, door: 'agents:write', needs: needsOf(needs) },
      send: (call) =>
        call('POST', `/api/projects/${projectId}/agents/upsert`, {
          body: { slug: `a-${randomUUID()}`, instructions: 'i', model: 'm', ...settings },
        }),
    }),
  };
}

export function node(type: string, inputs: JsonObject): Node {
  return { id: 'n', type, inputs };
}
