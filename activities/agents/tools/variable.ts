import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { READ_VARIABLES } from '../../../domain/agent/toolNames.ts';
import { MASK } from '../../../domain/execution/maskSecrets.ts';
import type { Json } from '../../../domain/json.ts';
import { namedVariables } from '../../../prisma/store/variable/variables.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

/** Reads current values. Secret ones are masked, because people read the task. */
export async function variableTools(
  { database }: ActivityServices,
  workspaceId: string,
  { variableIds, enabledToolPolicies }: AgentDefinition,
): Promise<OfferedTool[]> {
  const variables = await namedVariables(database, workspaceId, variableIds);
  if (variables.length === 0) return [];
  const listed = variables.map(({ name, description }) => (description === null ? name : `${name} (${description})`));
  return [
    {
      name: READ_VARIABLES,
      description: `Reads the values of these variables: ${listed.join(', ')}`,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      kind: 'variable',
      policy: enabledToolPolicies[READ_VARIABLES] ?? 'auto',
      bound: { variableIds: [...variableIds] },
      problems: (input) => Object.keys(input).map((key) => `${key}: unknown key, expected none`),
    },
  ];
}

export async function acceptVariables({ database }: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const variables = await namedVariables(database, call.workspaceId, call.definition.variableIds);
  return {
    kind: 'done',
    output: Object.fromEntries(variables.map(({ name, value, isSecret }) => [name, isSecret ? MASK : (value as Json)])),
  };
}
