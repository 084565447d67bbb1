import { expect, test } from '@jest/globals';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function asking(home: Home, approvals: number | { required: number }): Promise<string> {
  const nodes = [question('ask', { approvals }), action('far', 'testing.succeed', { output: 1 })];
  const executionId = await home.execute(await home.deploy({ nodes, edges: chain('ask', 'far') }));
  await home.asked(executionId, 'ask');
  return executionId;
}

test('several approvals need several known persons; the last one answers, and all are listed', async () => {
  const home = await makeHome();
  const person = await home.person();
  const executionId = await asking(home, 2);
  const submit = (answer: string, by?: typeof person) => home.submit(executionId, 'ask', { answer }, undefined, by);

  expect(await submit('nobody')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect((await submit('one', home.api)).status).toBe(200);
  const half = await home.read(executionId);
  expect(half).toMatchObject({ status: 'NEEDS_INPUT', pendingInput: [{ approvals: { required: 2, given: 1 } }] });
  const twice = await submit('one again', home.api);
  expect(twice).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(twice.body.detail).toContain('one submission from each person');
  expect(await submit('nobody')).toMatchObject({ status: 401 });
  expect((await submit('two', person)).status).toBe(200);

  const ended = await home.ended(executionId);
  const me = await person('GET', '/api/users/me');
  const key = await home.api('GET', '/api/users/me');
  const user = { type: 'user', id: me.body.id, name: me.body.name };
  expect(stepOf(ended, 'ask').output).toEqual({
    answer: 'two',
    submittedAt: ISO,
    submittedBy: user,
    submissions: [
      { by: { type: 'apiKey', ...key.body.apiKey }, at: ISO, values: { answer: 'one' } },
      { by: user, at: ISO, values: { answer: 'two' } },
    ],
  });
  expect((await submit('three', person)).status).toBe(409);
});

test('one of ten simultaneous submissions with one key counts', async () => {
  const home = await makeHome();
  const executionId = await asking(home, { required: 3 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      home.submit(executionId, 'ask', { answer: `${index}` }, undefined, home.api),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  const { pendingInput } = await home.read(executionId);
  expect(pendingInput).toMatchObject([{ approvals: { required: 3, given: 1 } }]);
});

test('a credential of another workspace can neither approve nor read', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const executionId = await asking(home, 2);
  const unknown = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
  for (const id of [executionId, unknown]) {
    const { status, body } = await home.submit(id, 'ask', { answer: 'x' }, undefined, stranger.api);
    expect([status, body.code, body.detail]).toEqual([404, 'NOT_FOUND', `There is no execution ${id}`]);
  }
  expect((await home.read(executionId)).pendingInput).toMatchObject([{ approvals: { given: 0 } }]);
});

test('a question with one answer does not require an identity', async () => {
  const home = await makeHome();
  const executionId = await asking(home, 1);
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
  expect(stepOf(await home.ended(executionId), 'ask').output).toEqual({ answer: 'x', submittedAt: ISO });
});
