import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../domain/json.ts';
import { ANSWER_QUESTION, exposedNames, GET_EXECUTION } from '../../domain/mcp/exposedNames.ts';
import { toolHints } from '../../domain/mcp/toolHints.ts';
import { inputSchemaOf, resultSchema } from '../../domain/mcp/toolSchemas.ts';
import { workflowOutputs } from '../../domain/outputs/workflowOutputs.ts';
import { type ExposedTool, readExposedTools } from '../../prisma/store/mcp/exposedTools.ts';
import { readVersionDefinition } from '../../prisma/store/workflow/findWorkflow.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';

/** A tool as `tools/list` shows it. */
export interface ListedTool extends JsonObject {
  name: string;
  inputSchema: JsonObject;
}

const PAGE_SIZE = 50;

/** Returns the tools that the caller may call, ordered by name. `after` is the last name of the page before. */
export async function listTools(
  services: Services,
  caller: Caller,
  after: string | undefined,
): Promise<{ tools: ListedTool[]; last: string | undefined }> {
  const exposed = await callableTools(services, caller);
  const own = ownTools(caller);
  const names = [...own.keys(), ...exposed.keys()].sort().filter((name) => after === undefined || name > after);
  const page = names.slice(0, PAGE_SIZE);
  const tools: ListedTool[] = [];
  for (const name of page) {
    const tool = exposed.get(name);
    const listed = tool ? await exposedTool(services, caller, name, tool) : own.get(name);
    if (listed) tools.push(listed);
  }
  return { tools, last: names.length > PAGE_SIZE ? page.at(-1) : undefined };
}

export async function callableTools(services: Services, caller: Caller): Promise<Map<string, ExposedTool>> {
  const all = exposedNames(await readExposedTools(services.database, caller.workspaceId, caller));
  return new Map([...all].filter(([, tool]) => mayUse(caller, tool)));
}

function mayUse({ permissions }: Caller, { kind, versionId, isVisible }: ExposedTool): boolean {
  if (kind === 'agent') return isVisible && permissions.has('agents:use');
  return versionId !== null && permissions.has('executions:run') && permissions.has('workflows:read');
}

async function exposedTool(
  services: Services,
  caller: Caller,
  name: string,
  tool: ExposedTool,
): Promise<ListedTool | undefined> {
  const { exposeAsTool, name: title, versionId } = tool;
  const about = { name, title, description: exposeAsTool.description };
  if (versionId === null) return { ...about, inputSchema: MESSAGE, outputSchema: resultSchema({ type: 'string' }) };
  const signature = await signatureOf(services, caller, versionId);
  return signature && { ...about, ...signature };
}

const MESSAGE: JsonObject = {
  type: 'object',
  properties: { message: { type: 'string', description: 'What to ask the agent', minLength: 1 } },
  required: ['message'],
  additionalProperties: false,
};

type Signature = Pick<ListedTool, 'inputSchema' | 'outputSchema' | 'annotations'>;

/** Versions never change, but custom apps do. */
const signatures = new LRUCache<string, Signature>({ max: 1_000 });

/** Undefined if the version was deleted meanwhile. */
export async function signatureOf(
  { database, catalogue }: Services,
  { workspaceId, appsRevision = 0 }: Caller,
  versionId: string,
): Promise<Signature | undefined> {
  const key = `${workspaceId}/${versionId}/${appsRevision}`;
  const known = signatures.get(key);
  if (known) return known;
  const definition = await readVersionDefinition(database, workspaceId, versionId);
  if (!definition) return undefined;
  const outputs = workflowOutputs(new Map([['', definition]]), new Map(), catalogue).get('');
  const signature = {
    inputSchema: inputSchemaOf(definition.trigger),
    outputSchema: resultSchema(outputs?.output),
    annotations: { ...toolHints(definition, catalogue) },
  } as Signature;
  signatures.set(key, signature);
  return signature;
}

const EXECUTION_ID: JsonObject = { type: 'string', format: 'uuid', description: 'As the tool answered it' };

export function ownTools({ permissions, kind }: Caller): Map<string, ListedTool> {
  const answers = permissions.has('executions:run') || kind === 'user';
  const reads = answers || permissions.has('executions:read') || permissions.has('agents:use');
  const tools: ListedTool[] = [...(reads ? [GET_EXECUTION_TOOL] : []), ...(answers ? [ANSWER_QUESTION_TOOL] : [])];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const GET_EXECUTION_TOOL: ListedTool = {
  name: GET_EXECUTION,
  title: 'Get an execution',
  description:
    'Waits for an execution that another tool has started and that has not ended yet, and returns its status, its output, its error, or the questions that it asks.',
  inputSchema: {
    type: 'object',
    properties: { executionId: EXECUTION_ID },
    required: ['executionId'],
    additionalProperties: false,
  },
  outputSchema: resultSchema(),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
};

const ANSWER_QUESTION_TOOL: ListedTool = {
  name: ANSWER_QUESTION,
  title: 'Answer a question',
  description:
    'Answers a question in the pendingInput of an execution, with values by the keys of its fields. Ask the user for the values. Then waits for the execution as get_execution does.',
  inputSchema: {
    type: 'object',
    properties: {
      executionId: EXECUTION_ID,
      nodeId: { type: 'string', description: 'The node of the question, if the execution asks several' },
      values: { type: 'object', description: 'The answers by field key' },
    },
    required: ['executionId', 'values'],
    additionalProperties: false,
  },
  outputSchema: resultSchema(),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
};
