import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { RESULT_TOOL } from '../../../domain/agent/toolNames.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { readResultPart } from '../../../prisma/store/turn/readResultPart.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_CHARACTERS = 16_000;
const CHARACTERS = 8_000;
const FARTHEST = 100_000_000;

/** Reads large results of the task's tool calls in parts. Offered once there is one. */
export function resultTools({ enableToolResultOffload, enabledToolPolicies }: AgentDefinition): OfferedTool[] {
  if (!enableToolResultOffload) return [];
  return [
    {
      name: RESULT_TOOL,
      description: 'Reads a part of a large result, which another tool has answered with a resultId.',
      inputSchema: {
        type: 'object',
        properties: {
          resultId: { type: 'string' },
          offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters before the part' },
          length: { type: 'integer', minimum: 1, maximum: MAX_CHARACTERS, default: CHARACTERS },
        },
        required: ['resultId'],
        additionalProperties: false,
      },
      kind: 'result',
      mustBeFound: true,
      policy: enabledToolPolicies[RESULT_TOOL] ?? 'auto',
      problems: problemsOf,
    },
  ];
}

function problemsOf({ resultId, offset = 0, length = CHARACTERS, ...more }: JsonObject): string[] {
  return [
    ...(typeof resultId === 'string' ? [] : ['resultId: expected a text']),
    ...(isWithin(offset, 0, FARTHEST) ? [] : [`offset: expected a whole number from 0 to ${FARTHEST}`]),
    ...(isWithin(length, 1, MAX_CHARACTERS) ? [] : [`length: expected a whole number from 1 to ${MAX_CHARACTERS}`]),
    ...Object.keys(more).map((key) => `${key}: unknown key, expected one of resultId, offset, length`),
  ];
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

export async function acceptResult(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { resultId, offset = 0, length = CHARACTERS } = call.input;
  const place = { taskId: call.taskId, resultId: String(resultId) };
  const part = await readResultPart(services.database, call.workspaceId, place, Number(offset), Number(length));
  if (!part) return { kind: 'refused', error: `This conversation has no result ${JSON.stringify(resultId)}` };
  const next = Number(offset) + Number(length);
  const isLast = next >= part.characters;
  return { kind: 'done', output: { ...part, offset, ...(isLast ? {} : { nextOffset: next }) } };
}
