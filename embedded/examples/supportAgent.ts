import { deploy, type ExampleCall, type ExampleRun, provideQueue, readExample } from './calls.ts';

interface SupportAgent {
  knowledge: { name: string };
  documents: { name: string; text: string }[];
  queue: { name: string };
  workflow: unknown;
  agent: { name: string; model: string };
  question: string;
}

interface Message {
  role: string;
  parts: { type: string; text?: string; state?: string }[];
}

/**
 *   question ──► agent ──┬─► search_knowledge ──────────► parts of documents, which the answer cites
 *                        ├─► workflow_example-find-order ─► the order
 *                        └─► queue_add ──► a person approves ──► queue of replacements
 *
 * docs/agents.md walks on from here.
 */
export async function runSupportAgent(run: ExampleRun): Promise<void> {
  const { call, credentials, scriptedModel, say } = run;
  const given = JSON.parse(await readExample('support-agent.json')) as SupportAgent;
  const knowledgeId = await provideKnowledge(call, given);
  const queueId = await provideQueue(run, given.queue);
  const workflowId = await deploy(run, given.workflow);
  const { json: agent } = await call('POST', `/api/projects/${credentials.projectId}/agents/upsert`, {
    ...given.agent,
    ...(scriptedModel === undefined ? {} : { aiConnectionId: await connectTo(call, scriptedModel), model: 'scripted' }),
    knowledgeIds: [knowledgeId],
    workflowIds: [workflowId],
    tools: [{ appId: 'queue', actionId: 'add', inputs: { queueId }, policy: 'approve' }],
  });
  const { id: agentId } = agent as { id: string };
  // A start before this one has asked already.
  const { json: task } = await call('POST', `/api/agents/${agentId}/tasks?expansion=messages`, {
    customIdentifier: 'example-support-agent',
  });
  const { id: taskId, messages: kept } = task as { id: string; messages: Message[] };
  const answered = kept.length > 0 ? kept : await ask(call, `/api/agents/${agentId}/tasks/${taskId}`, given.question);

  say('');
  say('Example support-agent, examples/support-agent.json: an agent with a knowledge base and two tools');
  say(
    scriptedModel === undefined
      ? `  Its model is ${given.agent.model}.`
      : '  A script answers in place of a model, while this runs; with OPENAI_API_KEY set a model does.',
  );
  say(`  Customer: ${given.question}`);
  for (const line of linesOf(answered)) say(`  ${line}`);
  say('');
  say('  docs/agents.md goes on from here: the customer wants a replacement, and a person approves it.');
}

/** The id of the base of that name, with its documents; what there is of it is not made again. */
async function provideKnowledge(call: ExampleCall, { knowledge, documents }: SupportAgent): Promise<string> {
  const bases = (await call('GET', '/api/knowledge?limit=1000')).json as { id: string; name: string }[];
  const same = bases.find(({ name }) => name === knowledge.name);
  // The encoder that ships with the product: it needs no key.
  const made = { ...knowledge, embeddingProvider: 'local' };
  const id = same?.id ?? ((await call('POST', '/api/knowledge', made)).json as { id: string }).id;
  const stored = (await call('GET', `/api/knowledge/${id}/documents?limit=1000`)).json as { name: string }[];
  for (const document of documents) {
    if (stored.some(({ name }) => name === document.name)) continue;
    await call('POST', `/api/knowledge/${id}/saveUploadedText`, document);
  }
  return id;
}

/** The connection to the script that answers in place of a model: one for each address where it has been. */
async function connectTo(call: ExampleCall, baseUrl: string): Promise<string> {
  const name = `Example: a scripted model at ${baseUrl}`;
  const there = (await call('GET', '/api/connections?filterBy=workflowAppId:openai&limit=1000')).json as {
    id: string;
    name: string;
  }[];
  const same = there.find((connection) => connection.name === name);
  if (same) return same.id;
  const { json } = await call('POST', '/api/workflow-apps/openai/connections/apiKey/connect', {
    name,
    credentials: { apiKey: 'none', baseUrl },
  });
  const { id, status, message } = json as { id: string; status: string; message?: string };
  if (status !== 'connected') throw new Error(`The scripted model could not be reached: ${message}`);
  return id;
}

async function ask(call: ExampleCall, task: string, text: string): Promise<Message[]> {
  const message = { role: 'user', parts: [{ type: 'text', text }] };
  const { json } = await call('POST', `${task}/message`, { message });
  return (json as { messages: Message[] }).messages;
}

/** The calls and texts of the agent. */
function linesOf(messages: readonly Message[]): string[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) =>
      parts.flatMap(({ type, text, state }) => {
        if (type === 'text') return [`Agent: ${text}`];
        return type.startsWith('tool-') ? [`calls ${type.slice('tool-'.length)} (${state})`] : [];
      }),
    );
}
