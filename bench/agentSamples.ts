import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import {
  AGENT_ROWS,
  type AgentRowName,
  ANSWER,
  CHUNK_EVERY_MS,
  CHUNKS,
  MANY_FOLLOWERS,
  TOOL_CALLS,
} from './agentRows.ts';
import type { ProviderOrder } from './bare/providerRoutes.ts';
import { jsonClient } from './jsonClient.ts';
import { mustBe } from './mustBe.ts';
import type { SampledSide, Sampler } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { timed } from './timing.ts';

const FIRST: ProviderOrder = { say: 1, everyMs: 0 };
const TOOLS: ProviderOrder = { ...ANSWER, calls: TOOL_CALLS };
/** Followers are connected well before the model answers. */
const ATTACHED = '"type":"start"';

const question = (order: ProviderOrder) => JSON.stringify(order);
const userMessage = (order: ProviderOrder) => ({ role: 'user', parts: [{ type: 'text', text: question(order) }] });
const timesIn = (text: string) => text.split(' ').filter(Boolean).map(Number);

interface EventsRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Reports each event of a stream until it ends. Throws for a rejected request. */
async function readEvents(agent: Agent, { url, method, headers, body }: EventsRequest, onData: (data: string) => void) {
  const answer = await request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    dispatcher: agent,
  });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode} ${await answer.body.text()}`);
  const parser = createParser({ onEvent: ({ data }) => onData(data) });
  const decoder = new TextDecoder();
  for await (const piece of answer.body) parser.feed(decoder.decode(piece as Buffer, { stream: true }));
}

async function untilFirst(agent: Agent, given: EventsRequest, isIt: (data: string) => boolean): Promise<number> {
  const startedAt = performance.now();
  let tookMs: number | undefined;
  await readEvents(agent, given, (data) => {
    if (tookMs === undefined && isIt(data)) tookMs = performance.now() - startedAt;
  });
  if (tookMs === undefined) throw new Error(`${given.url} never said anything`);
  return tookMs;
}

export async function ourAgentSide(name: AgentRowName, stack: BenchStack, bareUrl: string): Promise<SampledSide> {
  const { url, apiKey, projectId } = stack.credentials;
  const headers = { 'x-api-key': apiKey };
  const client = jsonClient(url, headers);
  const agent = new Agent({ connections: MANY_FOLLOWERS, bodyTimeout: 0 });
  const connect = '/api/workflow-apps/openai/connections/apiKey/connect';
  const credentials = { apiKey: 'sk-bench', baseUrl: `${bareUrl}/provider/v1` };
  const { body: connection } = await client.call('POST', connect, { credentials });
  mustBe(connection.status, 'connected');
  const { body: made } = await client.call('POST', `/api/projects/${projectId}/agents/upsert`, {
    slug: `bench-${name.toLowerCase()}`,
    name: AGENT_ROWS[name].title,
    instructions: 'Be quick.',
    model: 'bench',
    aiConnectionId: connection.id,
    tools: [{ appId: 'testing', actionId: 'succeed' }],
  });
  const place = () => `/api/agents/${made.id}/tasks/${randomUUID()}`;

  async function followed(followers: number): Promise<{ values: number[] }> {
    const [task, waitsFor] = [place(), randomUUID()];
    const stream = `${url}${task}/stream-message`;
    const values: number[] = [];
    let attached = 0;
    const onData = (data: string) => {
      const arrivedAt = Date.now();
      if (data.includes(ATTACHED)) attached += 1;
      else if (data.includes('"text-delta"'))
        values.push(...timesIn(JSON.parse(data).delta).map((at) => arrivedAt - at));
    };
    const order = { say: CHUNKS, everyMs: CHUNK_EVERY_MS, waitsFor };
    const post = { method: 'POST', url: stream, headers, body: { message: userMessage(order) } } as const;
    const following = [readEvents(agent, post, onData)];
    const whole = () => Promise.all(following);
    const untilAttached = async () => {
      while (attached < following.length) await Promise.race([whole(), new Promise((go) => setTimeout(go, 20))]);
    };
    await untilAttached();
    for (let more = 1; more < followers; more += 1) {
      following.push(readEvents(agent, { method: 'GET', url: stream, headers }, onData));
    }
    await untilAttached();
    const go = await request(`${bareUrl}/provider/go/${waitsFor}`, { method: 'POST', dispatcher: agent });
    await go.body.dump();
    await whole();
    mustBe(values.length, CHUNKS * followers);
    return { values };
  }

  const samplers: Record<AgentRowName, Sampler> = {
    async firstToken() {
      const post = { method: 'POST', url: `${url}${place()}/stream-message`, headers } as const;
      const body = { message: userMessage(FIRST) };
      return { values: [await untilFirst(agent, { ...post, body }, (data) => data.includes('"text-delta"'))] };
    },
    chunk: () => followed(1),
    chunkToMany: () => followed(MANY_FOLLOWERS),
    async toolTurn() {
      const { tookMs, value } = await timed(() =>
        client.call('POST', `${place()}/message`, { message: userMessage(TOOLS) }),
      );
      const parts: { type: string; text?: string; state?: string }[] = value.body.messages[0].parts;
      mustBe(parts.filter(({ state }) => state === 'output-available').length, TOOL_CALLS);
      mustBe(timesIn(parts.at(-1)?.text ?? '').length, ANSWER.say);
      return { values: [tookMs] };
    },
  };
  const close = async () => void (await Promise.all([client.close(), agent.destroy()]));
  return { sample: samplers[name], close };
}

export function bareAgentSide(name: AgentRowName, bareUrl: string): SampledSide | undefined {
  if (name === 'chunk' || name === 'chunkToMany') return undefined;
  const baseURL = `${bareUrl}/provider/v1`;
  if (name === 'toolTurn') {
    const client = jsonClient(bareUrl);
    const sample = async () => {
      const body = { baseURL, question: question(TOOLS) };
      const { tookMs, value } = await timed(() => client.call('POST', '/agents/toolTurn', body));
      mustBe(timesIn(value.body).length, ANSWER.say);
      return { values: [tookMs] };
    };
    return { sample, close: () => client.close() };
  }
  const agent = new Agent({ bodyTimeout: 0 });
  const body = { model: 'bench', stream: true, messages: [{ role: 'user', content: question(FIRST) }] };
  const post = { method: 'POST', url: `${baseURL}/chat/completions`, body } as const;
  const sample = async () => ({ values: [await untilFirst(agent, post, (data) => data.includes('"content"'))] });
  return { sample, close: () => agent.destroy() };
}
