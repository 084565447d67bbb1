import { argumentProblems } from '../../../domain/agent/argumentProblems.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { SELF_INSTRUCTIONS_TOOL } from '../../../domain/agent/toolNames.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { noteSelfInstructions } from '../../../prisma/store/agent/noteSelfInstructions.ts';
import { readTaskOwner } from '../../../prisma/store/task/readTaskOwner.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_LENGTH = 4_000;

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    instructions: {
      type: 'string',
      maxLength: MAX_LENGTH,
      description: 'All of the addition, which replaces the one before; empty: none',
    },
  },
  required: ['instructions'],
  additionalProperties: false,
};

/** Not offered to callers that see only their own tasks: they must not change the agent for others. */
export async function selfInstructionTools(
  { database }: ActivityServices,
  workspaceId: string,
  taskId: string,
  { dynamicSelfInstructionsEnabled, enabledToolPolicies }: AgentDefinition,
): Promise<OfferedTool[]> {
  if (!dynamicSelfInstructionsEnabled) return [];
  const owner = await readTaskOwner(database, workspaceId, taskId);
  if (!owner || owner.seesOnlyOwn) return [];
  return [
    {
      name: SELF_INSTRUCTIONS_TOOL,
      description:
        'Adds to your instructions, in all conversations from the next answer on. What you were given at first cannot be changed.',
      inputSchema: INPUT,
      kind: 'selfInstructions',
      policy: enabledToolPolicies[SELF_INSTRUCTIONS_TOOL] ?? 'auto',
      problems: (input) => argumentProblems(INPUT, input),
    },
  ];
}

/** May be repeated, because an equal addition makes no new version. */
export async function acceptSelfInstructions(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, agentId, taskId, runId, definition, input } = call;
  const [offered] = await selfInstructionTools(services, workspaceId, taskId, definition);
  if (!offered) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const instructions = String(input.instructions).trim();
  const version = await noteSelfInstructions(services.database, workspaceId, { agentId, runId, instructions });
  if (version === undefined) return { kind: 'refused', error: 'The agent is gone' };
  return { kind: 'done', output: { version, instructions } };
}
