import { expect, test } from '@jest/globals';
import type { ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import { mcpClient } from '../setup/api/mcpClient.ts';
import { poll } from '../setup/jest/poll.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a tool's result
type Loose = any;

const FIELDS = [
  { key: 'amount', label: 'Amount', type: 'number', required: true },
  { key: 'why', label: 'Why', type: 'text', required: false },
];

/** A workflow that asks for an amount and returns it. */
function asks(home: Home, inputs: object = {}, more: object = {}) {
  const ask = question('ask', {
    fields: FIELDS,
    instructions: 'Say how much',
    submitters: 'members',
    ...inputs,
  } as never);
  const exposeAsTool = { name: 'pay', description: 'Pays' };
  const output = { paid: '{{ steps.ask.output.amount }}' };
  return home.deploy({ slug: 'pay', nodes: [{ ...ask, name: 'Approve' }], exposeAsTool, output, ...more } as never);
}

test('a client without forms gets the question, and answers it by a tool', async () => {
  const home = await makeHome();
  await asks(home);
  const client = await mcpClient(home.url, home.apiKey);
  const asked: Loose = await client.callTool({ name: 'pay', arguments: {} });
  expect(asked.isError).toBeUndefined();
  const { executionId, status, pendingInput } = asked.structuredContent;
  expect([status, pendingInput]).toMatchObject([
    'NEEDS_INPUT',
    [{ nodeId: 'ask', label: 'Approve', instructions: 'Say how much', fields: [{ key: 'amount' }, { key: 'why' }] }],
  ]);
  expect(JSON.stringify(asked)).not.toContain('token=');
  const answer = (input: object) => client.callTool({ name: 'answer_question', arguments: { executionId, ...input } });
  expect(await answer({ values: { amount: 'much' } })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'VALIDATION_FAILED', errors: [{ path: 'amount' }] } },
  });
  expect(await answer({ values: {}, nodeId: 'other' })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'NOT_FOUND' } },
  });
  expect(await answer({ values: { amount: 3 }, nodeId: 'ask' })).toMatchObject({
    structuredContent: { executionId, status: 'COMPLETED', output: { paid: 3 } },
  });
  const neighbour = await makeHome();
  const next = await mcpClient(neighbour.url, neighbour.apiKey);
  const theirs = await next.callTool({ name: 'answer_question', arguments: { executionId, values: { amount: 1 } } });
  expect(theirs).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_FOUND' } } });
});

test('a client with forms shows the question to its person, again after a wrong answer; the answer completes the call', async () => {
  const home = await makeHome();
  const fields = [...FIELDS, { key: 'day', label: 'Day', type: 'date', required: true }];
  await asks(home, { fields });
  const shown: ElicitRequest['params'][] = [];
  const client = await mcpClient(home.url, home.apiKey, {
    person(params) {
      shown.push(params);
      return { action: 'accept', content: { amount: 5, day: shown.length === 1 ? 'tomorrow' : '2026-12-01' } };
    },
  });
  const result: Loose = await client.callTool({ name: 'pay', arguments: {} });
  expect(result.structuredContent).toMatchObject({ status: 'COMPLETED', output: { paid: 5 } });
  expect(shown).toHaveLength(2);
  expect(shown[0]).toMatchObject({
    message: 'Approve\n\nSay how much',
    requestedSchema: {
      properties: { amount: { type: 'number', title: 'Amount' }, why: { type: 'string' } },
      required: ['amount', 'day'],
    },
  });
  expect(shown[1]?.message).toContain('day: expected an ISO 8601 date or time');
  const { executionPath } = await home.read(result.structuredContent.executionId);
  expect(executionPath[0].output).toMatchObject({ submittedBy: { type: 'apiKey' } });
});

test('a person who declines, or closes the form, leaves the execution waiting', async () => {
  const home = await makeHome();
  await asks(home);
  for (const [act, note] of [
    ['decline', 'declined'],
    ['cancel', 'closed'],
  ] as const) {
    const client = await mcpClient(home.url, home.apiKey, { person: () => ({ action: act }) });
    const result: Loose = await client.callTool({ name: 'pay', arguments: {} });
    expect(result.structuredContent).toMatchObject({ status: 'NEEDS_INPUT', note: expect.stringContaining(note) });
    expect((await home.read(result.structuredContent.executionId)).status).toBe('NEEDS_INPUT');
  }
});

test('a question is not shown to a caller who may not answer it, and no form asks for a secret', async () => {
  const home = await makeHome();
  const never = () => {
    throw new Error('the person was asked');
  };
  const exposeAsTool = { name: 'secret', description: 'x' };
  await asks(home, { submitters: ['somebody@else.example'] });
  await asks(
    home,
    { fields: [{ key: 'pin', label: 'PIN', type: 'secret', required: true }] },
    { slug: 's', exposeAsTool, output: null },
  );
  const client = await mcpClient(home.url, home.apiKey, { person: never });
  for (const name of ['pay', 'secret']) {
    const result: Loose = await client.callTool({ name, arguments: {} });
    expect(result.structuredContent).toMatchObject({ status: 'NEEDS_INPUT', pendingInput: [{ nodeId: 'ask' }] });
  }
});

test('an answer by somebody else completes the call while the form is open', async () => {
  const home = await makeHome();
  await asks(home);
  let seen = () => {};
  const isShown = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const client = await mcpClient(home.url, home.apiKey, {
    person() {
      seen();
      return new Promise(() => {});
    },
  });
  const calling = client.callTool({ name: 'pay', arguments: {} });
  await isShown;
  const [{ id }] = (await home.api('GET', '/api/executions')).body;
  expect((await home.submit(id, 'ask', { amount: 8 }, undefined, home.api)).status).toBe(200);
  expect(((await calling) as Loose).structuredContent).toMatchObject({ status: 'COMPLETED', output: { paid: 8 } });
});

test('a call reports its progress to a client that asks for it, and a cancelled call cancels the execution', async () => {
  const home = await makeHome();
  const nodes = [action('first', 'testing.succeed'), action('slow', 'testing.wait', { ms: 60_000 })];
  const exposeAsTool = { name: 'slow', description: 'Waits' };
  await home.deploy({ slug: 'slow', nodes, edges: chain('trigger', 'first', 'slow'), exposeAsTool } as never);
  const { key } = await keyOf(home, 'executions:run', 'workflows:read');
  const client = await mcpClient(home.url, key);
  const said: { progress: number; message?: string }[] = [];
  const abort = new AbortController();
  const options = {
    signal: abort.signal,
    onprogress: (each: { progress: number; message?: string }) => void said.push(each),
  };
  const calling = client.callTool({ name: 'slow', arguments: {} }, undefined, options);
  await poll(() => said.at(-1)?.message, { timeout: 30_000 }).toMatch(/Wait is RUNNING/);
  const counts = said.map(({ progress }) => progress);
  expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
  abort.abort('no longer needed');
  await expect(calling).rejects.toThrow();
  const [{ id }] = (await home.api('GET', '/api/executions')).body;
  const ended = await home.ended(id);
  expect(ended).toMatchObject({ status: 'CANCELLED', statusMessage: 'no longer needed' });
});
