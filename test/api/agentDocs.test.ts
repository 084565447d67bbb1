import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runExamples } from '../../embedded/examples/examples.ts';
import { startScriptedModel } from '../../embedded/examples/scriptedModel.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { startModelProvider } from '../setup/providers/modelProvider.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const PAGE = join(PROJECT_ROOT, 'docs/agents.md');
const BY_HAND = commandsOf(PAGE, 'Talk to an agent with curl');
const HELPERS = BY_HAND.slice(0, BY_HAND.indexOf('BASE='));

const texts = (message: { parts: { type: string; text?: string }[] }) =>
  message.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');

test('docs/agents.md: as it is written', async () => {
  const provider = await startModelProvider();
  provider.answer(say('Hello, how can I help?'));
  const environment = { OPENAI_API_KEY: 'sk-own', OPENAI_BASE_URL: provider.baseUrl };
  const [sent, read] = answersOf(await printedBy(BY_HAND, await makeWorkspace(), environment));
  expect(texts(sent.messages[0])).toBe('Hello, how can I help?');
  expect(read.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant']);
  expect(read.messageUsage[sent.messages[0].id].totalTokens).toBeGreaterThan(0);
  const asked = provider.requests.at(-1);
  expect(asked?.headers.authorization).toBe('Bearer sk-own');
  expect(asked?.body.tools?.map(({ function: { name } }) => name)).toEqual(['http_request']);
});

test('docs/agents.md: the support agent, as it is written', async () => {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const workspace = await makeWorkspace();
  const said: string[] = [];
  const start = () =>
    runExamples(['support-agent'], {
      credentials: { ...workspace, temporalUiUrl: null },
      namespace: 'default',
      scriptedModel: model.baseUrl,
      say: (line) => said.push(line),
    });
  await start();
  expect(said).toContain('  calls search_knowledge (output-available)');
  expect(said).toContain('  calls workflow_example-find-order (output-available)');
  const answer = said.find((line) => line.startsWith('  Agent: '));
  expect(answer).toMatch(/You bought a desk lamp, .* is replaced free of charge .* \[[0-9a-f-]{36}, 1\]$/);

  const section = commandsOf(PAGE, 'Try the support agent');
  const [read, asked, approved, items] = answersOf(await printedBy(`${HELPERS}\n${section}`, workspace));
  expect(answer).toBe(`  Agent: ${texts(read.messages.at(-1))}`);
  expect(asked.messages[0].parts).toContainEqual(
    expect.objectContaining({ type: 'tool-queue_add', state: 'approval-requested' }),
  );
  expect(texts(approved.messages[0])).toBe('A replacement for order 1017 is on its way.');
  expect(items.items).toEqual([
    expect.objectContaining({
      externalId: 'replacement-1017',
      data: { order: '1017', item: 'a desk lamp', reason: expect.any(String) },
    }),
  ]);

  // A second start finds all of it: it asks nothing, and makes nothing twice.
  said.length = 0;
  await start();
  expect(said).toContain(answer);
  const counts = await printedBy(
    `${HELPERS}\ncall "$API/knowledge"\ncall "$API/connections"\ncall "$API/agents"\ncall "$API/tasks"`,
    workspace,
  );
  expect(answersOf(counts).map((found) => found.length)).toEqual([1, 1, 1, 1]);
});

test('docs/knowledge.md: as it is written', async () => {
  const commands = commandsOf(join(PROJECT_ROOT, 'docs/knowledge.md'), 'Upload and search a text');
  const [saved, found] = answersOf(await printedBy(commands, await makeWorkspace()));
  expect(saved).toBe(true);
  expect(found.results).toEqual([
    expect.objectContaining({ text: 'Refunds are paid within five days.', metadata: { topic: 'payment' } }),
  ]);
});
