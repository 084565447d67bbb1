import type { JsonObject } from '../../domain/json.ts';
import { apply, type ExampleCall, type ExampleRun, idOf } from './calls.ts';
import { readExample, readExampleFile } from './exampleFolder.ts';

const QUESTION = 'The lamp of my order 1017 arrived damaged. What can I do?';

interface Message {
  role: string;
  parts: { type: string; text?: string; state?: string }[];
}

/**
 *   question ──► agent ──┬─► search_knowledge ──────────► parts of documents, which the answer cites
 *                        ├─► workflow_example-find-order ─► the order
 *                        └─► queue_add ──► a person approves ──► queue of replacements
 *
 * docs/agents.md continues from here.
 */
export async function runSupportAgent(run: ExampleRun): Promise<void> {
  const { call, scriptedModel, say } = run;
  const model: JsonObject =
    scriptedModel === undefined ? {} : { aiConnectionId: await connectTo(call, scriptedModel), model: 'scripted' };
  const resources = await readExample('support-agent');
  const agent = resources.find(({ kind }) => kind === 'agent');
  await apply(
    run,
    resources.map((each) => (each === agent ? { ...each, ...model } : each)),
  );
  await provideDocuments(run);
  const agentId = await idOf(run, 'agents', 'example-support');
  // An earlier start may have created this task.
  const { json: task } = await call('POST', `/api/agents/${agentId}/tasks?expansion=messages`, {
    customIdentifier: 'example-support-agent',
  });
  const { id: taskId, messages: kept } = task as { id: string; messages: Message[] };
  const answered = kept.length > 0 ? kept : await ask(call, `/api/agents/${agentId}/tasks/${taskId}`, QUESTION);

  say('');
  say('Example support-agent, examples/support-agent: an agent with a knowledge base and two tools');
  say(
    scriptedModel === undefined
      ? `  Its model is ${agent?.model}.`
      : '  A script answers in place of a model, while this runs; with OPENAI_API_KEY set a model does.',
  );
  say(`  Customer: ${QUESTION}`);
  for (const line of linesOf(answered)) say(`  ${line}`);
  say('');
  say('  docs/agents.md goes on from here: the customer wants a replacement, and a person approves it.');
}

/** Uploads missing documents, which are not part of a bundle. */
async function provideDocuments(run: ExampleRun): Promise<void> {
  const { call } = run;
  const documents = (await readExampleFile('support-agent', 'documents.yaml')) as { name: string }[];
  const id = await idOf(run, 'knowledge', 'example-returns');
  const stored = (await call('GET', `/api/knowledge/${id}/documents?limit=1000`)).json as { name: string }[];
  for (const document of documents) {
    if (stored.some(({ name }) => name === document.name)) continue;
    await call('POST', `/api/knowledge/${id}/saveUploadedText`, document);
  }
}

/** Returns the connection to the scripted model, one for each address that it has used. */
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
