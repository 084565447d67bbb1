import { createHash, randomUUID } from 'node:crypto';
import type { UIMessageChunk } from 'ai';
import { createParser } from 'eventsource-parser';
import { v7 } from 'uuid';
import {
  type AgentTool,
  agentDefinition,
  definitionText,
  type GivenSettings,
} from '../../../domain/agent/definition.ts';
import type { Database } from '../../../prisma/client.ts';
import type { ApiAnswer } from '../api/client.ts';
import { type ModelProvider, startModelProvider } from '../providers/modelProvider.ts';
import { type Home, makeHome } from './home.ts';
import { stackDatabase } from './workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

export interface AgentHome extends Home {
  provider: ModelProvider;
  database: Database;
  agentId: string;
  connectionId: string;
  agent(settings?: Partial<GivenSettings>): Promise<string>;
  send(taskId: string, text: string, more?: object): Promise<ApiAnswer>;
  /** Sends POST stream-message; collects chunks until the stream ends. */
  stream(taskId: string, body: object, headers?: Record<string, string>): Promise<StreamedTurn>;
  resume(taskId: string, headers?: Record<string, string>): Promise<StreamedTurn>;
  stop(taskId: string, body?: object): Promise<ApiAnswer>;
  messages(taskId: string): Promise<Loose[]>;
  turn(taskId: string): Promise<Loose>;
  /** Resolves when `isIt` returns true for the newest turn of the task. */
  untilTurn(taskId: string, isIt: (run: Loose) => boolean): Promise<Loose>;
}

export interface StreamedTurn {
  status: number;
  headers: Headers;
  /** Grows during the stream. */
  chunks: UIMessageChunk[];
  ids: string[];
  /** True if the stream ended with [DONE]; false if the connection broke. */
  done: Promise<boolean>;
  close(): void;
}

export const userMessage = (text: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  role: 'user',
  parts: [{ type: 'text', text }],
});

export const tool = (appId: string, actionId: string, more: Partial<AgentTool> = {}) => ({ appId, actionId, ...more });

export async function makeAgentHome(settings: Partial<GivenSettings> = {}): Promise<AgentHome> {
  return agentHomeOn(await makeHome(), stackDatabase(), settings);
}

export async function agentHomeOn(
  home: Home,
  database: Database,
  { name = 'Agent', ...settings }: Partial<GivenSettings> & { name?: string } = {},
): Promise<AgentHome> {
  const provider = await startModelProvider();
  const connected = await home.api('POST', '/api/workflow-apps/openai/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'sk-test', baseUrl: provider.baseUrl } },
  });
  if (connected.body?.status !== 'connected') throw new Error(`connect answered ${JSON.stringify(connected.body)}`);
  provider.requests.splice(0);
  const connectionId: string = connected.body.id;

  async function agent(own: Partial<GivenSettings> = {}): Promise<string> {
    const id = v7();
    const definition = agentDefinition({
      ...{ instructions: 'Be helpful.', model: 'm', aiConnectionId: connectionId },
      ...settings,
      ...own,
    });
    const hash = createHash('sha256').update(definitionText(definition)).digest();
    const { workspaceId, projectId } = home;
    const data = { id, workspaceId, projectId, slug: id, name, definition: definition as object, hash };
    await database.agent.create({ data });
    return id;
  }
  const agentId = await agent();
  const task = (clientId: string) => ({ clientId, workspaceId: home.workspaceId });
  const place = (taskId: string) => `/api/agents/${agentId}/tasks/${taskId}`;

  const made: AgentHome = Object.assign(Object.create(home), {
    provider,
    database,
    agentId,
    connectionId,
    agent,
    send: (taskId: string, text: string, more: object = {}) =>
      home.api('POST', `${place(taskId)}/message`, { body: { message: userMessage(text, randomUUID()), ...more } }),
    stream: (taskId: string, body: object, headers: Record<string, string> = {}) =>
      readTurn(home, 'POST', `${place(taskId)}/stream-message`, { body, headers }),
    resume: (taskId: string, headers: Record<string, string> = {}) =>
      readTurn(home, 'GET', `${place(taskId)}/stream-message`, { headers }),
    stop: (taskId: string, body: object = {}) => home.api('POST', `${place(taskId)}/stream-message/stop`, { body }),
    messages: (taskId: string) =>
      database.taskMessage.findMany({ where: { task: task(taskId) }, orderBy: { position: 'asc' } }),
    turn: (taskId: string) =>
      database.taskRun.findFirst({ where: { task: task(taskId) }, orderBy: { number: 'desc' } }),
    async untilTurn(taskId: string, isIt: (run: Loose) => boolean) {
      for (;;) {
        const run = await made.turn(taskId);
        if (run && isIt(run)) return run;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  });
  return made;
}

export async function readTurn(
  home: Pick<Home, 'api'>,
  method: string,
  path: string,
  options: { body?: object; headers?: Record<string, string> },
): Promise<StreamedTurn> {
  const controller = new AbortController();
  const { response, status, headers } = await home.api(method, path, { ...options, signal: controller.signal });
  const chunks: UIMessageChunk[] = [];
  const ids: string[] = [];
  const turn = { status, headers, chunks, ids, close: () => controller.abort() };
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return { ...turn, done: Promise.resolve(false) };
  return { ...turn, done: consume(response, chunks, ids) };
}

async function consume(response: Response, chunks: UIMessageChunk[], ids: string[]): Promise<boolean> {
  let isDone = false;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (data === '[DONE]') isDone = true;
      else chunks.push(JSON.parse(data));
      if (id !== undefined) ids.push(id);
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const part of response.body ?? []) parser.feed(decoder.decode(part, { stream: true }));
  } catch {
    // The connection was broken by us or by the server; `done` shows it.
    return false;
  }
  return isDone;
}

export const textOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : [])).join('');

/** Returns the text of a stored message; empty if there is none. */
export const textIn = (message: { parts: { type: string; text?: string }[] } | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
