// test: long
import { expect, test } from '@jest/globals';
import { anyPort } from '../../process/ports.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { type ModelProvider, startModelProvider } from '../setup/providers/modelProvider.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { type AgentHome, agentHomeOn, userMessage } from '../setup/workspace/agentHome.ts';

const PATIENCE = { timeout: 90_000, interval: 200 };

const port = await anyPort();
const {
  stack,
  home: own,
  database,
} = await ownHome({ environment: { OPENAI_API_KEY: 'sk-own', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` } });

/** Creates an agent with a base whose embedding provider a test delays or lets fail. */
async function searching(): Promise<{ home: AgentHome; embeddings: ModelProvider }> {
  const embeddings = await startModelProvider({ port });
  const { body: base } = await own.api('POST', '/api/knowledge', { body: { name: 'Rules', dimensions: 16 } });
  const saved = await own.api('POST', `/api/knowledge/${base.id}/saveUploadedText`, {
    body: { text: 'Nobody may be late for tea.' },
  });
  expect(saved.status).toBe(201);
  const home = await agentHomeOn(own, database, { knowledgeIds: [base.id] });
  asks(home);
  return { home, embeddings };
}

function asks({ provider }: AgentHome): void {
  provider.answer(callTools({ id: 'c1', name: 'search_knowledge', arguments: { query: 'late for tea' } }), say('No.'));
}

const isQuestion = ({ body }: ModelProvider['requests'][number]) =>
  JSON.stringify(body.input).includes('late for tea"');
const statusOf = (home: AgentHome, taskId: string) => async () => (await home.turn(taskId))?.status;

test('a stop ends a search that waits for its vector: the provider is left, nothing is asked again', async () => {
  const { home, embeddings } = await searching();
  const release = embeddings.holdEmbeddings();
  onTestFinished(release);
  const turn = await home.stream('stopped', { message: userMessage('May I be late?') });
  await poll(() => embeddings.requests.filter(isQuestion).length, PATIENCE).toBe(1);
  expect((await home.stop('stopped')).body).toEqual({ stopped: true });
  await turn.done;
  await poll(statusOf(home, 'stopped'), PATIENCE).toBe('STOPPED');
  await poll(() => embeddings.requests.find(isQuestion)?.aborted, PATIENCE).toBe(true);
  expect(embeddings.requests.filter(isQuestion)).toHaveLength(1);
});

test('a search is repeated after a kill or an absent provider, and the model receives its results', async () => {
  const { home, embeddings } = await searching();
  const release = embeddings.holdEmbeddings();
  const turn = await home.stream('killed', { message: userMessage('May I be late?') });
  await poll(() => embeddings.requests.filter(isQuestion).length, PATIENCE).toBe(1);
  await stack.killMain();
  release();
  await stack.startAgain();
  await turn.done;
  await poll(statusOf(home, 'killed'), PATIENCE).toBe('COMPLETED');
  const found = [
    {},
    { output: { results: [{ partNumber: 1, text: 'Nobody may be late for tea.' }] } },
    {},
    { text: 'No.' },
  ];
  expect((await home.messages('killed'))[1]?.parts).toMatchObject(found);
  embeddings.failEmbeddings({ status: 503 });
  asks(home);
  expect((await home.send('away', 'May I be late?')).status).toBe(200);
  expect((await home.messages('away'))[1]?.parts).toMatchObject(found);

  // Fails as often as the tool retries; then the search uses only words.
  embeddings.failEmbeddings({ status: 503 }, { status: 503 }, { status: 503 });
  asks(home);
  expect((await home.send('longer', 'May I be late?')).status).toBe(200);
  const [, call] = (await home.messages('longer'))[1]?.parts ?? [];
  expect(call).toMatchObject({
    output: {
      mode: 'text',
      note: expect.stringMatching(/words alone/),
      results: [{ text: 'Nobody may be late for tea.' }],
    },
  });
});
