import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { KNOWLEDGE_TOOL } from '../../../domain/agent/toolNames.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { NotEmbedded } from '../../../engine/knowledge/embedders.ts';
import { searchKnowledge } from '../../../engine/knowledge/searchKnowledge.ts';
import { type NamedBase, namedBases } from '../../../prisma/store/knowledge/knowledgeBases.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MOST_RESULTS = 20;
const RESULTS = 5;
/** An embedding that takes longer is told to the model as a failure. */
const LONGEST_SEARCH_MS = 30_000;
const LONGEST_QUERY = 2_000;

/** One tool for all knowledge bases of an agent; none where it has none. */
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
      description: `Finds the parts of documents that a question is about, best first. Cite a part by its groupId and partNumber. ${told(bases)}`,
      inputSchema: inputSchema(bases),
      kind: 'knowledge',
      policy: enabledToolPolicies[KNOWLEDGE_TOOL] ?? 'auto',
      problems: (input) => problemsOf(bases, input),
    },
  ];
}

function told(bases: readonly NamedBase[]): string {
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
      limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, default: RESULTS },
      knowledgeId: { type: 'string', enum: bases.map(({ id }) => id), description: 'The first where absent' },
    },
    required: ['query'],
    additionalProperties: false,
  };
}

function problemsOf(bases: readonly NamedBase[], { query, limit, knowledgeId, ...more }: JsonObject): string[] {
  const isLimit =
    limit === undefined || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MOST_RESULTS);
  const isQuery = typeof query === 'string' && query.trim() !== '' && query.length <= LONGEST_QUERY;
  const isBase = knowledgeId === undefined || bases.some(({ id }) => id === knowledgeId);
  return [
    ...(isQuery ? [] : [`query: expected a text of 1 to ${LONGEST_QUERY} characters`]),
    ...(isLimit ? [] : [`limit: expected a whole number from 1 to ${MOST_RESULTS}`]),
    ...(isBase ? [] : [`knowledgeId: expected one of ${bases.map(({ id }) => id).join(', ')}`]),
    ...Object.keys(more).map((key) => `${key}: unknown key, expected one of query, limit, knowledgeId`),
  ];
}

/** The search is the work: it has no effect, so that it may be done twice. */
export async function acceptKnowledge(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, input, definition } = call;
  const bases = await namedBases(services.database, workspaceId, definition.knowledgeIds);
  const knowledgeId = input.knowledgeId ?? bases[0]?.id;
  if (typeof knowledgeId !== 'string' || !bases.some(({ id }) => id === knowledgeId)) {
    return { kind: 'refused', error: 'The agent has this knowledge base no more' };
  }
  const limit = typeof input.limit === 'number' ? input.limit : RESULTS;
  const signal = AbortSignal.timeout(LONGEST_SEARCH_MS);
  try {
    const query = { workspaceId, knowledgeId, query: String(input.query), limit, signal };
    const results = await searchKnowledge(services, query);
    return { kind: 'done', output: { results } as unknown as Json };
  } catch (error) {
    // The question has no vector, or the base has gone: the model is told. What may pass is tried again.
    if (signal.aborted) return { kind: 'refused', error: `The search took longer than ${LONGEST_SEARCH_MS / 1000} s` };
    if (error instanceof NotEmbedded) return { kind: 'refused', error: `The search failed: ${error.message}` };
    if (error instanceof Problem && error.code === 'NOT_FOUND') return { kind: 'refused', error: error.message };
    throw error;
  }
}
