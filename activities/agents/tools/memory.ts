import { argumentProblems } from '../../../domain/agent/argumentProblems.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { FORGET_TOOL, RECALL_TOOL, REMEMBER_TOOL } from '../../../domain/agent/toolNames.ts';
import { derivedId } from '../../../domain/derivedId.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { forgetFact, recallFacts, rememberFact } from '../../../prisma/store/memory/facts.ts';
import { type MemoryPlace, memoryPlace } from '../../../prisma/store/memory/memoryPlace.ts';
import { readTaskOwner } from '../../../prisma/store/task/readTaskOwner.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_FACT_LENGTH = 1_000;
const MAX_QUERY_LENGTH = 500;
const MAX_WORDS = 50;
const MAX_RECALLED = 50;
const RECALLED = 20;

interface MemoryTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

const TOOLS: readonly MemoryTool[] = [
  {
    name: REMEMBER_TOOL,
    description:
      'Keeps a fact for later conversations, such as a wish or a decision. One fact a call, in a sentence that is understood alone. Never passwords or keys.',
    inputSchema: object({ fact: { type: 'string', pattern: '\\S', maxLength: MAX_FACT_LENGTH } }, ['fact']),
  },
  {
    name: RECALL_TOOL,
    description:
      'Facts from earlier conversations, those first that have words of the query; without a query the newest.',
    inputSchema: object({
      query: { type: 'string', maxLength: MAX_QUERY_LENGTH },
      limit: { type: 'integer', minimum: 1, maximum: MAX_RECALLED, default: RECALLED },
    }),
  },
  {
    name: FORGET_TOOL,
    description: 'Deletes a fact that is wrong, or that somebody wants to be forgotten.',
    inputSchema: object({ id: { type: 'string', format: 'uuid', description: 'Of a fact, as it was recalled' } }, [
      'id',
    ]),
  },
];

export function memoryTools({ memoryEnabled, memoryScope, enabledToolPolicies }: AgentDefinition): OfferedTool[] {
  if (!memoryEnabled) return [];
  return TOOLS.map((tool) => ({
    ...tool,
    kind: 'memory',
    policy: enabledToolPolicies[tool.name] ?? 'auto',
    bound: { memoryScope },
    problems: (input) => argumentProblems(tool.inputSchema, input),
  }));
}

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A fact has the id of its call, so that a repeated call stores it once. */
export async function acceptMemory(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, agentId, taskId, definition } = call;
  if (!definition.memoryEnabled) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const owner = await readTaskOwner(services.database, workspaceId, taskId);
  const place = memoryPlace({ workspaceId, agentId }, definition, owner);
  if (!place)
    return { kind: 'refused', error: 'Nothing can be remembered, because this conversation belongs to no user' };
  return DO[call.name]?.(services, place, call) ?? { kind: 'refused', error: 'The agent no longer has this tool' };
}

type Do = (services: ActivityServices, place: MemoryPlace, call: ToolToRun) => Promise<AcceptedTool>;

const DO: Readonly<Record<string, Do>> = {
  async [REMEMBER_TOOL]({ config, database }, place, { runId, toolCallId, input }) {
    const most = config.AGENT_MEMORY_MAX_FACTS;
    const fact = String(input.fact).trim();
    const id = await rememberFact(database, place, { id: derivedId(runId, toolCallId), fact, most });
    if (id !== undefined) return { kind: 'done', output: { id, fact } };
    return { kind: 'refused', error: `${most} facts are already stored: forget some of them first` };
  },
  async [RECALL_TOOL]({ database }, place, { input }) {
    const found =
      String(input.query ?? '')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    const words = [...new Set(found)].slice(0, MAX_WORDS);
    const limit = typeof input.limit === 'number' ? input.limit : RECALLED;
    const facts = await recallFacts(database, place, { words, limit });
    return { kind: 'done', output: { facts } as unknown as Json };
  },
  async [FORGET_TOOL]({ database }, place, { input }) {
    return { kind: 'done', output: { forgotten: await forgetFact(database, place, String(input.id)) } };
  },
};
