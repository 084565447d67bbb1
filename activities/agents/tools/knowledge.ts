import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { KNOWLEDGE_TOOL } from '../../../domain/agent/toolNames.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { searchKnowledge } from '../../../engine/knowledge/searchKnowledge.ts';
import { readAgentForTurn } from '../../../prisma/store/agent/readAgentForTurn.ts';
import { type NamedBase, namedBases } from '../../../prisma/store/knowledge/knowledgeBases.ts';
import { whileDatabaseAway } from '../../execution/whileDatabaseAway.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';
import type { Work } from './work.ts';

const MAX_RESULTS = 20;
const RESULTS = 5;
/** A search that takes longer is reported to the model as failed. */
const MAX_SEARCH_MS = 120_000;
/** Tries if the provider of embeddings may recover. */
const MAX_TRIES = 3;
const GONE = 'The agent no longer has this knowledge base';
const MAX_QUERY_LENGTH = 2_000;
/** Part of the result of a search without a vector, because other words may find more. */
const WORDS_ALONE =
  'Found by the words alone, since meanings cannot be compared at the moment; other words may find more';

export async function knowledgeTools(
  { database }: ActivityServices,
  workspaceId: string,
  { knowledgeIds, enabledToolPolicies }: AgentDefinition,
): Promise<OfferedTool[]> {
  const bases = await namedBases(database, workspaceId, knowledgeIds);
  if (bases.length === 0) return [];
  return [
    {
      name: KNOWLEDGE_TOOL,
      description: `Finds the parts of documents that a question is about, best first. Cite a part by its groupId and partNumber. ${listOfBases(bases)}`,
      inputSchema: inputSchema(bases),
      kind: 'knowledge',
      policy: enabledToolPolicies[KNOWLEDGE_TOOL] ?? 'auto',
      bound: { knowledgeIds: [...knowledgeIds] },
      problems: (input) => problemsOf(bases, input),
    },
  ];
}

function listOfBases(bases: readonly NamedBase[]): string {
  const each = bases.map(
    ({ id, name, description }) => `${id} is ${name}${description === null ? '' : `: ${description}`}`,
  );
  return `Knowledge bases: ${each.join('; ')}`;
}

function inputSchema(bases: readonly NamedBase[]): JsonObject {
  return {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The question, in its own words' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, default: RESULTS },
      knowledgeId: { type: 'string', enum: bases.map(({ id }) => id), description: 'Default: the first' },
    },
    required: ['query'],
    additionalProperties: false,
  };
}

function problemsOf(bases: readonly NamedBase[], { query, limit, knowledgeId, ...more }: JsonObject): string[] {
  const isLimit =
    limit === undefined || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_RESULTS);
  const isQuery = typeof query === 'string' && query.trim() !== '' && query.length <= MAX_QUERY_LENGTH;
  const isBase = knowledgeId === undefined || bases.some(({ id }) => id === knowledgeId);
  return [
    ...(isQuery ? [] : [`query: expected a text of 1 to ${MAX_QUERY_LENGTH} characters`]),
    ...(isLimit ? [] : [`limit: expected a whole number from 1 to ${MAX_RESULTS}`]),
    ...(isBase ? [] : [`knowledgeId: expected one of ${bases.map(({ id }) => id).join(', ')}`]),
    ...Object.keys(more).map((key) => `${key}: unknown key, expected one of query, limit, knowledgeId`),
  ];
}

/** The search is a separate activity, which may be repeated. */
export async function acceptKnowledge(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const knowledgeId = await searchedBase(services, call.workspaceId, call.definition, call.input);
  return knowledgeId === undefined ? { kind: 'refused', error: GONE } : { kind: 'activity', tries: MAX_TRIES };
}

/** Searches by words alone if the question has no vector and no retry is left. */
export const callKnowledge: Work = async (services, { workspaceId, runId }, { agentId, input }, signal) => {
  const { database, log } = services;
  const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_SEARCH_MS)]);
  try {
    const answer = await whileDatabaseAway(until, log, async () => {
      const agent = await readAgentForTurn(database, workspaceId, agentId);
      const knowledgeId = agent && (await searchedBase(services, workspaceId, agent.definition, input));
      if (knowledgeId === undefined) return undefined;
      const limit = typeof input.limit === 'number' ? input.limit : RESULTS;
      return searchKnowledge(services, { workspaceId, knowledgeId, query: String(input.query), limit, signal: until });
    });
    if (!answer) return { status: 'FAILED', error: GONE };
    const { results, mode, embeddingFailure } = answer;
    if (!embeddingFailure) return { status: 'COMPLETED', output: { results } as unknown as Json };
    const { code, message, retryable: isRetryable } = embeddingFailure;
    log.warn({ workspaceId, runId, code, message }, 'a search of an agent went by words alone');
    return { status: 'COMPLETED', output: { results, mode, note: WORDS_ALONE } as unknown as Json, isRetryable };
  } catch (error) {
    if (until.aborted && !signal.aborted) {
      return { status: 'FAILED', error: `The search took longer than ${MAX_SEARCH_MS / 1000} s` };
    }
    if (error instanceof Problem && error.status < 500) return { status: 'FAILED', error: error.message };
    throw error;
  }
};

/** Returns the base that the call names, else the agent's first; undefined if the agent no longer has it. */
async function searchedBase(
  { database }: ActivityServices,
  workspaceId: string,
  { knowledgeIds }: AgentDefinition,
  input: JsonObject,
): Promise<string | undefined> {
  const bases = await namedBases(database, workspaceId, knowledgeIds);
  return bases.find(({ id }) => id === (input.knowledgeId ?? bases[0]?.id))?.id;
}
