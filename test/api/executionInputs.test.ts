import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

const OPTIONS: JsonObject[] = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const FIELDS: JsonObject[] = [
  { key: 'text', label: 'Text', type: 'text', required: true },
  { key: 'longText', label: 'Long', type: 'longText', required: false },
  { key: 'number', label: 'Number', type: 'number', required: true },
  { key: 'boolean', label: 'Boolean', type: 'boolean', required: false, default: false },
  { key: 'date', label: 'Date', type: 'date', required: false },
  { key: 'select', label: 'Select', type: 'select', required: true, options: OPTIONS },
  { key: 'multi', label: 'Multi', type: 'multiSelect', required: false, options: OPTIONS },
  { key: 'json', label: 'JSON', type: 'json', required: false },
  { key: 'secret', label: 'Secret', type: 'secret', required: false },
];
const VALUES = {
  text: 'x',
  longText: 'line\nline',
  number: -1.5,
  date: '2026-11-21',
  select: 'a',
  multi: ['b', 'a'],
  json: { deep: [null] },
  secret: 's',
};

async function waiting(home: Home, graph: Parameters<Home['deploy']>[0], inputData?: object, nodeId = 'ask') {
  const executionId = await home.execute(await home.deploy(graph), inputData);
  const snapshot = await home.asked(executionId, nodeId);
  return { executionId, snapshot };
}

test('a form has every type of field; its values are the output of the step', async () => {
  const home = await makeHome();
  const { executionId, snapshot } = await waiting(
    home,
    {
      nodes: [
        control(
          'ask',
          'input',
          {
            title: 'Order {{ trigger.n }}',
            instructions: 'Look at {{ trigger.n }} well',
            fields: FIELDS,
          },
          { name: 'Approve' },
        ),
        action('sum', 'core.transform', { value: '{{ steps.ask.output.number + 1 }}' }),
      ],
      edges: chain('ask', 'sum'),
    },
    { n: 7 },
  );
  expect(snapshot.status).toBe('NEEDS_INPUT');
  expect(snapshot.pendingInput).toMatchObject([
    { nodeId: 'ask', label: 'Approve', title: 'Order 7', instructions: 'Look at 7 well', fields: FIELDS },
  ]);
  expect(await home.submit(executionId, 'ask', VALUES)).toMatchObject({
    status: 200,
    body: { executionId, nodeId: 'ask', accepted: true },
  });
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: -0.5, pendingInput: [] });
  const { output } = stepOf(execution, 'ask');
  expect(output).toEqual({ ...VALUES, secret: '***', boolean: false, submittedAt: expect.stringMatching(/Z$/) });
});

test('an optional field that was not given is its default or null, so an expression finds it', async () => {
  const home = await makeHome();
  const read = action('read', 'core.transform', {
    value: '{{ [steps.ask.output.longText, steps.ask.output.boolean] }}',
  });
  const graph = { nodes: [control('ask', 'input', { fields: FIELDS }), read], edges: chain('ask', 'read') };
  const { executionId } = await waiting(home, graph);
  await home.submit(executionId, 'ask', { text: 'x', number: 1, select: 'a' });
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: [null, false] });
  expect(stepOf(execution, 'ask').output).toMatchObject({ date: null, multi: null, json: null, secret: null });
});

test('each of several submissions has every field', async () => {
  const home = await makeHome();
  const inputs = { fields: FIELDS, approvals: 2, submitters: 'members' };
  const { executionId } = await waiting(home, { nodes: [control('ask', 'input', inputs)] });
  const given = { text: 'x', number: 1, select: 'a' };
  for (const by of [home.api, await home.person()]) await home.submit(executionId, 'ask', given, undefined, by);
  const { output } = stepOf(await home.ended(executionId), 'ask');
  const all = { ...given, longText: null, boolean: false, date: null, multi: null, json: null, secret: null };
  expect(output).toMatchObject({ ...all, submissions: [{ values: all }, { values: all }] });
});

test('wrong values are refused with their place, and the question stays open', async () => {
  const home = await makeHome();
  const { executionId } = await waiting(home, { nodes: [control('ask', 'input', { fields: FIELDS })] });
  const wrong: [object, string, string][] = [
    [{ ...VALUES, extra: 1 }, 'VALIDATION_FAILED', 'extra'],
    [{ ...VALUES, text: 1 }, 'VALIDATION_FAILED', 'text'],
    [{ ...VALUES, longText: [] }, 'VALIDATION_FAILED', 'longText'],
    [{ ...VALUES, number: '1' }, 'VALIDATION_FAILED', 'number'],
    [{ ...VALUES, boolean: 'true' }, 'VALIDATION_FAILED', 'boolean'],
    [{ ...VALUES, date: 'tomorrow' }, 'VALIDATION_FAILED', 'date'],
    [{ ...VALUES, select: 'c' }, 'VALIDATION_FAILED', 'select'],
    [{ ...VALUES, multi: ['a', 'c'] }, 'VALIDATION_FAILED', 'multi'],
    [{ ...VALUES, multi: 'a' }, 'VALIDATION_FAILED', 'multi'],
    [{ ...VALUES, secret: {} }, 'VALIDATION_FAILED', 'secret'],
    [{ ...VALUES, text: undefined }, 'MISSING_INPUT', 'text'],
    [{ ...VALUES, number: null }, 'MISSING_INPUT', 'number'],
    [{ ...VALUES, text: '' }, 'MISSING_INPUT', 'text'],
  ];
  for (const [values, code, path] of wrong) {
    const answer = await home.submit(executionId, 'ask', values);
    expectAbout(answer, path).toMatchObject({ status: 400, body: { code, errors: [{ path }] } });
  }
  const empty = await home.submit(executionId, 'ask', {});
  expect(empty).toMatchObject({ status: 400, body: { code: 'MISSING_INPUT' } });
  expect(empty.body.errors.map(({ path }: { path: string }) => path)).toEqual(['text', 'number', 'select']);
  expect((await home.submit(executionId, 'ask', VALUES)).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('a question is answered once, and only while it waits', async () => {
  const home = await makeHome();
  const { executionId } = await waiting(home, {
    nodes: [question('ask'), question('later'), action('none', 'core.set', { values: {} })],
    edges: edges('ask>later'),
  });
  const status = async (id: string, nodeId: string, values: object = { answer: 'x' }) =>
    (await home.submit(id, nodeId, values)).status;
  expect(await status(executionId, 'later')).toBe(404);
  expect(await status(executionId, 'none')).toBe(404);
  expect(await status(executionId, 'unknown')).toBe(404);
  expect(await status('01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', 'ask')).toBe(404);
  expect(await status('nothing', 'ask')).toBe(404);
  expect(await status(executionId, 'ask')).toBe(200);
  expect(await status(executionId, 'ask')).toBe(409);
  await home.asked(executionId, 'later');
  expect(await status(executionId, 'ask')).toBe(409);
  expect(await status(executionId, 'later')).toBe(200);
  await home.ended(executionId);
  expect(await status(executionId, 'later')).toBe(409);
  expect(await status(executionId, 'unknown')).toBe(409);
});

test('two open questions can be answered in any order', async () => {
  const home = await makeHome();
  const { executionId } = await waiting(home, {
    nodes: [
      question('ask'),
      question('also'),
      action('join', 'core.set', {
        values: { one: '{{ steps.ask.output.answer }}', two: '{{ steps.also.output.answer }}' },
      }),
    ],
    edges: edges('ask>join', 'also>join'),
  });
  await home.asked(executionId, 'also');
  await home.submit(executionId, 'also', { answer: 'second' });
  const between = await home.until(executionId, (snapshot) => statuses(snapshot).also === 'COMPLETED');
  expect(between).toMatchObject({ status: 'NEEDS_INPUT', pendingInput: [{ nodeId: 'ask' }] });
  await home.submit(executionId, 'ask', { answer: 'first' });
  expect((await home.ended(executionId)).output).toEqual({ one: 'first', two: 'second' });
});

test('an unanswered question fails its step, or leaves by its expired edge', async () => {
  const home = await makeHome();
  const plain = await home.run({
    nodes: [question('ask', { expiresInMs: 200 }), question('next')],
    edges: chain('ask', 'next'),
  });
  expect(plain).toMatchObject({ status: 'FAILED', statusMessage: 'ask: No answer came in time', pendingInput: [] });
  expect(stepOf(plain, 'ask')).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_EXPIRED' } });

  const graph = {
    nodes: [
      question('ask', { expiresInMs: '{{ trigger.ms }}' }),
      action('answered', 'core.set', { values: { way: 'answered' } }),
      action('late', 'core.set', { values: { way: 'late' } }),
    ],
    edges: edges('ask>answered', 'ask:expired>late'),
  };
  const { snapshot } = await waiting(home, graph, { ms: 60_000 });
  const [{ requestedAt, expiresAt }] = snapshot.pendingInput;
  expect(Math.abs(Date.parse(expiresAt) - Date.parse(requestedAt) - 60_000)).toBeLessThan(10_000);
  const execution = await home.run(graph, { ms: 200 });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { way: 'late' } });
  expect(statuses(execution)).toEqual({ ask: 'COMPLETED', late: 'COMPLETED' });
  expect(stepOf(execution, 'ask').output).toBeNull();
  expect((await home.submit(execution.id, 'ask', { answer: 'x' })).status).toBe(409);
});

test('accepts an answer just before the deadline', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    nodes: [
      question('ask', { expiresInMs: 1_500 }),
      action('answered', 'core.set', { values: { got: '{{ steps.ask.output.answer }}' } }),
      action('late', 'core.set', { values: { got: null } }),
    ],
    edges: edges('ask>answered', 'ask:expired>late'),
  });
  const results = { accepted: 0, refused: 0 };
  // Each submission aims at a different moment around the deadline, because request times differ between machines.
  let leadMs = 40;
  const race = async (index: number) => {
    const executionId = await home.execute(workflowId);
    const seen = await home.until(
      executionId,
      ({ status, pendingInput }) => status === 'COMPLETED' || pendingInput?.[0],
    );
    // On a busy machine the deadline may pass before the question is seen.
    if (seen.status === 'COMPLETED') return;
    const { pendingInput } = seen;
    const aim = Date.parse(pendingInput[0].expiresAt) + (index % 20) * 3 - leadMs;
    await new Promise((go) => setTimeout(go, Math.max(aim - Date.now(), 0)));
    const { status } = await home.submit(executionId, 'ask', { answer: `n${index}` });
    const execution = await home.ended(executionId);
    expect([200, 409]).toContain(status);
    expect(execution.status).toBe('COMPLETED');
    expect(execution.output).toEqual({ got: status === 200 ? `n${index}` : null });
    results[status === 200 ? 'accepted' : 'refused'] += 1;
  };
  for (let round = 0; round < 5 || ((results.accepted === 0 || results.refused === 0) && round < 15); round++) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => race(round * 12 + index)));
    if (results.accepted === 0) leadMs += 150;
    if (results.refused === 0) leadMs = Math.max(leadMs - 40, 0);
  }
  expect(results.accepted).toBeGreaterThan(0);
  expect(results.refused).toBeGreaterThan(0);
});

test('a thousand submissions from 20 clients: one is accepted', async () => {
  const home = await makeHome();
  const { executionId } = await waiting(home, {
    nodes: [question('ask'), action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' })],
    edges: chain('ask', 'far'),
  });
  const seen: number[] = [];
  let accepted = '';
  const client = async (who: number) => {
    for (let n = 0; n < 50; n++) {
      const answer = `client ${who}, ${n}`;
      const { status } = await home.submit(executionId, 'ask', { answer });
      seen.push(status);
      if (status === 200) accepted = answer;
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, who) => client(who)));
  expect(seen).toHaveLength(1_000);
  expect(seen.filter((status) => status === 200)).toHaveLength(1);
  expect(seen.filter((status) => status !== 409)).toHaveLength(1);
  expect((await home.ended(executionId)).output).toBe(accepted);
});

test('a form made by expressions is checked when it is opened', async () => {
  const home = await makeHome();
  const graph = { nodes: [control('ask', 'input', { fields: '{{ trigger.fields }}' })] };
  const fields = [{ key: 'a', label: 'A', type: 'number', required: true }];
  const { executionId, snapshot } = await waiting(home, graph, { fields });
  expect(snapshot.pendingInput[0].fields).toEqual(fields);
  await home.submit(executionId, 'ask', { a: 1 });
  expect((await home.ended(executionId)).output).toMatchObject({ a: 1 });
  const short = await waiting(home, graph, { fields: [{ key: 'a', type: 'text', help: null, options: null }] });
  expect(short.snapshot.pendingInput[0].fields).toEqual([{ key: 'a', label: 'a', type: 'text', required: false }]);
  const broken = await home.run(graph, { fields: [{ key: 'a', label: 'A', type: 'colour', required: true }] });
  expect(broken.status).toBe('FAILED');
  expect(stepOf(broken, 'ask').error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('fields[0].type'),
  });
});
