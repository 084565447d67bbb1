import type { AgentDefinition, AgentTool, ToolPolicy } from '../../../domain/agent/definition.ts';
import { discoverable } from '../../../domain/agent/discovery.ts';
import { fieldsSchema } from '../../../domain/agent/fieldSchema.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { actionToolName } from '../../../domain/agent/toolNames.ts';
import { chooseConnection } from '../../../domain/app/chooseConnection.ts';
import { type ActionManifest, type Catalogue, findAction } from '../../../domain/app/manifest.ts';
import { holdsExpression } from '../../../domain/expression/template.ts';
import { checkFieldValues } from '../../../domain/fieldValues.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { placed } from '../../../domain/place.ts';
import { isError } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { linearDefinition } from '../../../domain/workflow/linear.ts';
import { definitionLimits, validateDefinition } from '../../../domain/workflow/validate.ts';
import { appsOfConnections, usableConnections } from '../../../prisma/store/connection/usableConnections.ts';
import type { ActivityServices } from '../../services.ts';
import { withApps } from '../../withApps.ts';
import { acceptAdHoc } from './acceptAdHoc.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

/** `inputs` are fixed; the model gives the other fields. */
export interface ActionTool extends OfferedTool {
  tool: AgentTool;
}

export function actionTools(catalogue: Catalogue, definition: AgentDefinition): ActionTool[] {
  return toolsOf(catalogue, definition.tools, definition);
}

/** Discoverable actions need no connection, or one of the agent's. By default each call needs approval. */
export async function discoverableActions(
  { catalogue, database }: ActivityServices,
  workspaceId: string,
  definition: AgentDefinition,
): Promise<ActionTool[]> {
  const { dynamicActionDiscoveryEnabled, connectionIds, tools } = definition;
  if (!dynamicActionDiscoveryEnabled) return [];
  const connected = connectionIds.length === 0 ? [] : await appsOfConnections(database, workspaceId, connectionIds);
  const apps = new Set([...connected].map(([, appId]) => appId));
  const named = new Set(tools.map(actionToolName));
  const found = discoverable(catalogue)
    .filter(({ appId, action }) => !action.requiresConnection || apps.has(appId))
    .map(({ appId, action: { actionId } }): AgentTool => {
      return { appId, actionId, connectionId: null, inputs: {}, policy: 'approve' };
    });
  const unnamed = found.filter((tool) => !named.has(actionToolName(tool)));
  return toolsOf(catalogue, unnamed, definition).map((tool) => ({ ...tool, mustBeFound: true }));
}

function toolsOf(catalogue: Catalogue, tools: readonly AgentTool[], definition: AgentDefinition): ActionTool[] {
  return tools.flatMap((tool): ActionTool[] => {
    const action = findAction(catalogue, tool.appId, tool.actionId);
    const app = catalogue.get(tool.appId);
    if (!action || !app) return [];
    const fixed = new Set(Object.keys(tool.inputs));
    const fields = action.inputConfig.fields.filter(({ key }) => !fixed.has(key));
    return [
      {
        name: actionToolName(tool),
        description: `${app.name}: ${action.description}`,
        inputSchema: fieldsSchema(fields),
        kind: 'action',
        policy: definition.enabledToolPolicies[actionToolName(tool)] ?? tool.policy ?? policyOf(action),
        problems: (input) =>
          checkFieldValues(fields, input, 'reject').problems.map(({ path, message }) => `${path}: ${message}`),
        tool,
        bound: { ...tool },
      },
    ];
  });
}

/** The default for a tool without a policy of its author. */
function policyOf({ effect }: ActionManifest): ToolPolicy {
  return effect === 'destructive' ? 'approve' : 'auto';
}

/**
 * Accepts the call as an execution of one step, with an id derived from turn and call. The arguments, and fixed values
 * that look like expressions, are its trigger, to which the step refers: no text of a model is evaluated.
 */
export async function acceptAction(given: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, runId, toolCallId, input, definition: agent } = call;
  const services = await withApps(given, workspaceId);
  const tools = [
    ...actionTools(services.catalogue, agent),
    ...(await discoverableActions(services, workspaceId, agent)),
  ];
  const found = tools.find(({ name }) => name === call.name);
  if (!found) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const trigger = named(found.tool.inputs, input);
  const definition = await definitionOf(services, workspaceId, agent, found, trigger);
  if (typeof definition === 'string') return { kind: 'refused', error: definition };
  const executionId = services.executionIds(runId, toolCallId);
  const start = await acceptAdHoc(services, { workspaceId, executionId, name: call.name, definition, trigger });
  return { kind: 'execution', start };
}

function named(fixed: JsonObject, input: JsonObject): JsonObject {
  const isNamed = ([key, value]: [string, unknown]) => !Object.hasOwn(fixed, key) || holdsExpression(value);
  return Object.fromEntries(Object.entries({ ...input, ...fixed }).filter(isNamed));
}

export async function connectionOf(
  { catalogue, database }: ActivityServices,
  workspaceId: string,
  { connectionIds }: AgentDefinition,
  { tool, mustBeFound }: ActionTool,
): Promise<string | undefined> {
  const { appId, actionId, connectionId } = tool;
  const isRequired = findAction(catalogue, appId, actionId)?.requiresConnection ?? false;
  if (connectionId !== null) return connectionId;
  if (!isRequired && connectionIds.length === 0) return undefined;
  const usable = await usableConnections(database, workspaceId, appId, { named: connectionIds });
  const ofAgent = usable.find(({ id }) => connectionIds.includes(id));
  const other = isRequired && !mustBeFound ? chooseConnection(usable, { defaultCounts: true }) : undefined;
  return (ofAgent ?? other)?.id;
}

async function definitionOf(
  services: ActivityServices,
  workspaceId: string,
  agent: AgentDefinition,
  found: ActionTool,
  trigger: JsonObject,
): Promise<Definition | string> {
  const { catalogue, config } = services;
  const { tool } = found;
  const { appId, actionId } = tool;
  const given = Object.fromEntries(Object.keys(trigger).map((key) => [key, `{{ trigger[${JSON.stringify(key)}] }}`]));
  const connectionId = await connectionOf(services, workspaceId, agent, found);
  if (connectionId === undefined && findAction(catalogue, appId, actionId)?.requiresConnection) {
    return 'There is no connection that this tool could use';
  }
  const connection = connectionId === undefined ? {} : { connectionId };
  const { candidate } = linearDefinition([
    { id: 'tool', appId, actionId, inputs: { ...tool.inputs, ...given }, ...connection },
  ]);
  const limits = definitionLimits(config);
  const { definition, problems } = validateDefinition(candidate, { catalogue, limits });
  if (definition) return definition;
  return `The tool cannot be run: ${problems.filter(isError).map(placed).join('; ')}`;
}
