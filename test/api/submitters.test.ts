import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { api } from '../setup/api/client.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } };

async function asking(home: Home, inputs: JsonObject): Promise<string> {
  const nodes = [question('ask', inputs), action('after', 'core.set', { values: { done: true } })];
  const executionId = await home.execute(await home.deploy({ nodes, edges: chain('ask', 'after') }));
  await home.asked(executionId, 'ask');
  return executionId;
}

async function keyOf(home: Home, permissions: string[], by?: Home['api']) {
  const maker = by ?? (await home.person());
  const body = { name: `key of ${permissions.join()}`, permissions };
  const { body: made, status } = await maker('POST', '/api/api-keys', { body });
  if (status !== 201) throw new Error(`The key was not made: ${JSON.stringify(made)}`);
  return { id: made.id as string, name: body.name, key: made.apiKey as string, call: api(home.url, made.apiKey) };
}

const ALL = ['executions:run', 'executions:read', 'workspace:admin'];

test('members: 401 without a credential, 403 with less than executions:run, 404 to others; who it was is recorded', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const consumer = await newMember(home, 'consumer');
  const weak = await keyOf(home, ['projects:read', 'executions:read']);
  const strong = await keyOf(home, ['executions:run']);
  const executionId = await asking(home, { submitters: 'members' });
  const submit = (by?: Home['api'], answer = 'x') => home.submit(executionId, 'ask', { answer }, undefined, by);

  expect(await submit()).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(await submit(api(home.url, `pdr_${'x'.repeat(40)}`))).toMatchObject({ status: 401 });
  expect(await submit(weak.call)).toMatchObject(FORBIDDEN);
  expect(await submit(consumer.call)).toMatchObject(FORBIDDEN);
  const other = await submit(stranger.api);
  expect([other.status, other.body.detail]).toEqual([404, `There is no execution ${executionId}`]);
  expect((await home.read(executionId)).pendingInput).toMatchObject([{ submitters: 'members' }]);

  expect((await submit(strong.call, 'yes')).status).toBe(200);
  const by = { type: 'apiKey', id: strong.id, name: strong.name };
  const ended = await home.ended(executionId);
  expect(stepOf(ended, 'ask').output).toEqual({ answer: 'yes', submittedAt: ISO, submittedBy: by });
  expect(await submit(strong.call)).toMatchObject({ status: 409 });

  const { body: log } = await home.api('GET', '/api/audit-log?filterBy=action:submitInput');
  const actor = (entry: { outcome: string; actor: { id: string } | null }) => [entry.outcome, entry.actor?.id];
  expect(log.map(actor)).toEqual([
    ['success', strong.id],
    ['denied', consumer.id],
    ['denied', weak.id],
  ]);
});

test('a question for anyone accepts anonymous answers, and records authenticated ones', async () => {
  const home = await makeHome();
  const weak = await keyOf(home, ['projects:read']);
  const wait = question('also');
  const start = async () => {
    const executionId = await home.execute(await home.deploy({ nodes: [question('ask'), wait] }));
    await home.asked(executionId, 'ask');
    return executionId;
  };
  const [one, two, three] = [await start(), await start(), await start()] as const;
  const submit = (id: string, by?: Home['api']) => home.submit(id, 'ask', { answer: 'x' }, undefined, by);

  expect((await submit(one, weak.call)).status).toBe(200);
  const answeredBy = { type: 'apiKey', id: weak.id, name: weak.name };
  expect(stepOf(await home.read(one), 'ask').output).toEqual({
    answer: 'x',
    submittedAt: ISO,
    submittedBy: answeredBy,
  });
  expect(await submit(one)).toMatchObject({ status: 409, body: { code: 'CONFLICT', answeredBy } });

  // Rejected even if the execution had nothing else left to do.
  const short = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(short, 'ask');
  await submit(short, weak.call);
  await home.ended(short);
  expect(await submit(short)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('has ended'), answeredBy },
  });

  // No credential is needed, so an invalid one, or one of another workspace, is ignored.
  expect((await submit(two, api(home.url, 'not a token'))).status).toBe(200);
  expect((await submit(three, (await makeHome()).api)).status).toBe(200);
  for (const id of [two, three]) {
    expect(stepOf(await home.read(id), 'ask').output).toEqual({ answer: 'x', submittedAt: ISO });
    expect((await submit(id)).body).not.toHaveProperty('answeredBy');
  }
});

test('four eyes: a key counts as the person who made it, also through other keys, and needs executions:run', async () => {
  const home = await makeHome();
  const owner = await home.person();
  const builder = await newMember(home, 'builder');
  const consumer = await newMember(home, 'consumer');
  const weak = await keyOf(home, ['projects:read']);
  const own = await keyOf(home, ALL);
  const ofOwn = await keyOf(home, ['executions:run'], own.call);
  const ofKey = await keyOf(home, ALL, home.api);
  const ofThat = await keyOf(home, ['executions:run'], ofKey.call);
  const executionId = await asking(home, { approvals: 3 });
  const submit = async (by: Home['api']) => {
    const { status, body } = await home.submit(executionId, 'ask', { answer: 'x' }, undefined, by);
    return [status, body.code];
  };

  expect(await submit(weak.call)).toEqual([403, 'FORBIDDEN']);
  expect(await submit(consumer.call)).toEqual([403, 'FORBIDDEN']);
  expect(await submit(own.call)).toEqual([200, undefined]);
  for (const same of [owner, ofOwn.call, own.call]) expect(await submit(same)).toEqual([409, 'CONFLICT']);
  // A key created by the operator counts as itself, and so do the keys that it creates.
  expect(await submit(ofThat.call)).toEqual([200, undefined]);
  for (const same of [home.api, ofKey.call]) expect(await submit(same)).toEqual([409, 'CONFLICT']);
  expect((await home.read(executionId)).pendingInput).toMatchObject([{ approvals: { required: 3, given: 2 } }]);
  expect(await submit(builder.call)).toEqual([200, undefined]);

  const { output } = stepOf(await home.ended(executionId), 'ask');
  expect(output.submittedBy).toEqual({ type: 'user', id: builder.id, name: 'builder' });
  expect(output.submissions).toEqual([
    { by: { type: 'apiKey', id: own.id, name: own.name }, at: ISO, values: { answer: 'x' } },
    { by: { type: 'apiKey', id: ofThat.id, name: ofThat.name }, at: ISO, values: { answer: 'x' } },
    { by: output.submittedBy, at: ISO, values: { answer: 'x' } },
  ]);
});

test('a list of addresses and roles, also from data; what is no such list fails the step', async () => {
  const home = await makeHome();
  const [boss, other] = [await newMember(home, 'consumer'), await newMember(home, 'consumer')];
  const builder = await newMember(home, 'builder');
  const ofBuilder = await keyOf(home, ['projects:read']);
  const workflowId = await home.deploy({ nodes: [question('ask', { submitters: '{{ trigger.who }}' })] });
  const asked = async (who: unknown) => {
    const executionId = await home.execute(workflowId, { who });
    await home.asked(executionId, 'ask');
    return (by?: Home['api']) => home.submit(executionId, 'ask', { answer: 'x' }, undefined, by);
  };

  const byAddress = await asked([boss.email.toUpperCase(), 'owner']);
  expect((await byAddress()).status).toBe(401);
  for (const one of [other.call, builder.call, ofBuilder.call, home.api]) {
    expect(await byAddress(one)).toMatchObject(FORBIDDEN);
  }
  expect((await byAddress(boss.call)).status).toBe(200);
  const byRole = await asked(['builder']);
  expect(await byRole(boss.call)).toMatchObject(FORBIDDEN);
  expect((await byRole(builder.call)).status).toBe(200);

  for (const [who, message] of [
    ['everybody', 'submitters: expected anyone, link, members, or a list'],
    [[], 'submitters: expected at least one e-mail address or role'],
    [['boss'], 'submitters[0]: expected an e-mail address or a role'],
    [null, 'submitters: expected anyone, link, members, or a list'],
  ]) {
    const failed = await home.ended(await home.execute(workflowId, { who }));
    expect(failed).toMatchObject({ status: 'FAILED', statusMessage: expect.stringContaining(String(message)) });
  }
});

test('a question is answered by its link alone: 404 without its token, or with another', async () => {
  const home = await makeHome();
  const executionId = await asking(home, { submitters: 'link' });
  const other = await asking(home, { submitters: 'link' });
  const [{ link, stepId }] = (await home.read(executionId)).pendingInput;
  const [{ link: otherLink }] = (await home.read(other)).pendingInput;
  const path = link.slice(home.url.length);
  expect(link.startsWith(`${home.url}/api/webhooks/executions/${executionId}/nodes/ask/input?token=`)).toBe(true);
  const open = api(home.url);
  const send = (to: string) => open('POST', to, { body: { answer: 'x' } });
  const bare = path.split('?')[0];
  const token = new URL(link).searchParams.get('token');
  const wrong = [
    bare,
    `${bare}?stepId=${stepId}`,
    `${bare}?token=`,
    `${bare}?token=${new URL(otherLink).searchParams.get('token')}`,
    `${bare}?token=${token}.${Buffer.from('loop:0').toString('base64url')}`,
    `${bare}?token=x.AA`,
  ];
  const unknown = await send(`${bare?.replace('/ask/', '/nothing/')}`);
  for (const to of wrong) {
    const { status, body } = await send(String(to));
    expect([status, body.code, body.detail.replace(' ask ', ' nothing ')]).toEqual([
      404,
      'NOT_FOUND',
      unknown.body.detail,
    ]);
  }
  // The API key is not a link; it identifies itself.
  expect((await home.api('POST', String(bare), { body: { answer: 'x' } })).status).toBe(404);
  expect((await home.api('POST', path, { body: { answer: 'x' } })).status).toBe(200);
  expect(stepOf(await home.ended(executionId), 'ask').output.submittedBy).toMatchObject({ type: 'apiKey' });
  expect((await send(path)).status).toBe(409);
  // An ended execution reveals nothing that an open one does not.
  expect((await send(String(bare))).status).toBe(404);
});

test('expressions have the link of a question, in parallel branches and inside loops', async () => {
  const home = await makeHome();
  const tell = (id: string, link: string, more = {}) => action(id, 'core.set', { values: { link } }, more);
  const nodes = [
    tell('mail', '{{ steps.ask.link }}'),
    action('far', 'testing.succeed', { output: '{{ "at " + steps.ask.link }}' }),
    question('ask', { submitters: 'link' }),
    control('each', 'forEach', { items: '{{ [1, 2, 3] }}', concurrency: 3 }),
    question('inside', { submitters: 'link' }, { parentId: 'each' }),
    tell('beside', '{{ steps.inside.link }}', { parentId: 'each' }),
    tell('both', '{{ steps.ask.link }}', { parentId: 'each' }),
    action('after', 'core.set', { values: { link: '{{ steps.ask.link }}', answer: '{{ steps.ask.output.answer }}' } }),
  ];
  const executionId = await home.execute(await home.deploy({ nodes, edges: edges('ask>after') }));
  const waiting = await home.until(
    executionId,
    ({ pendingInput, executionPath }) =>
      pendingInput?.length === 4 &&
      executionPath.filter((step: { status: string }) => step.status === 'COMPLETED').length === 8,
  );
  const [own] = waiting.pendingInput.filter(({ nodeId }: { nodeId: string }) => nodeId === 'ask');
  expect(stepOf(waiting, 'mail').output).toEqual({ link: own.link });
  expect(stepOf(waiting, 'far').output).toBe(`at ${own.link}`);
  const inside = waiting.pendingInput.filter(({ nodeId }: { nodeId: string }) => nodeId === 'inside');
  expect(new Set(inside.map(({ link }: { link: string }) => link)).size).toBe(3);
  const steps = waiting.executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'beside');
  for (const { link, iteration } of inside) {
    const beside = steps.find(
      (step: { iteration: { index: number }[] }) => step.iteration[0]?.index === iteration[0].index,
    );
    expect(beside.output).toEqual({ link });
  }
  for (const { output } of waiting.executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'both')) {
    expect(output).toEqual({ link: own.link });
  }
  // Each link answers its own question, although the node asks in three iterations at once.
  const open = api(home.url);
  for (const { link } of [...inside, own]) {
    expect((await open('POST', link.slice(home.url.length), { body: { answer: link } })).status).toBe(200);
  }
  const ended = await home.ended(executionId);
  expect(ended.status).toBe('COMPLETED');
  expect(stepOf(ended, 'after').output).toEqual({ link: own.link, answer: own.link });
  const answers = ended.executionPath.filter(({ nodeId }: { nodeId: string }) => nodeId === 'inside');
  for (const step of answers) {
    const asked = inside.find(
      ({ iteration }: { iteration: { index: number }[] }) => iteration[0]?.index === step.iteration[0].index,
    );
    expect(step.output.answer).toBe(asked.link);
  }
});

test('a link that cannot be there is a problem of the definition', async () => {
  const home = await makeHome();
  const nodes = [
    action('a', 'core.set', { values: { link: '{{ steps.b.link }}' } }),
    action('b', 'core.set', { values: { link: '{{ steps.inside.link }}' } }),
    control('each', 'forEach', { items: [1] }),
    question('inside', {}, { parentId: 'each' }),
    action('c', 'core.set', { values: { link: '{{ steps.nobody.link }}' } }),
  ];
  const { body } = await home.api('POST', '/api/workflows/validate', {
    body: { slug: 'x', nodes, edges: [], output: '{{ steps.inside.link }}' },
  });
  expect(body.problems).toEqual([
    expect.objectContaining({
      path: 'nodes[0].inputs.values.link',
      message: expect.stringContaining('is not an input'),
    }),
    expect.objectContaining({
      path: 'nodes[1].inputs.values.link',
      message: expect.stringContaining('inside the loop'),
    }),
    expect.objectContaining({
      path: 'nodes[4].inputs.values.link',
      message: expect.stringContaining('is not an input'),
    }),
    expect.objectContaining({ path: 'output', message: expect.stringContaining('inside the loop') }),
  ]);
});

test('the person who started an execution does not answer its questions, however they started it', async () => {
  const home = await makeHome();
  const owner = await home.person();
  const builder = await newMember(home, 'builder');
  const ofBuilder = await keyOf(home, ['executions:run'], home.api);
  const trigger = { id: 'trigger' as const, type: 'webhook' as const, config: {} };
  const nodes = [question('ask', { excludeStarter: true })];
  const manual = await home.deploy({ nodes });
  const parent = await home.deploy({ nodes: [control('sub', 'runWorkflow', { workflowId: manual })] });
  // A webhook that always excludes its starter is rejected: see starters.test.ts.
  const hooked = await home.deploy({ trigger, nodes: [question('ask', { excludeStarter: '{{ true }}' })] });
  const start = async (by: Home['api'], path: string) => {
    const { body, headers } = await by('POST', path, { body: {} });
    const id: string = body?.executionId ?? headers.get('x-execution-id');
    return id;
  };
  const byExecute = (by: Home['api'], id = manual) => start(by, `/api/executions/workflows/${id}/execute`);
  const status = async (executionId: string, by?: Home['api']) => {
    await home.asked(executionId, 'ask');
    return (await home.submit(executionId, 'ask', { answer: 'x' }, undefined, by)).status;
  };

  const ofPerson = await byExecute(owner);
  expect(await status(ofPerson)).toBe(401);
  const { body } = await home.submit(ofPerson, 'ask', { answer: 'x' }, undefined, owner);
  expect([body.code, body.detail]).toEqual(['FORBIDDEN', expect.stringContaining('You have started this execution')]);
  expect((await home.read(ofPerson)).pendingInput).toMatchObject([{ excludeStarter: true }]);
  expect(await status(ofPerson, builder.call)).toBe(200);

  const own = await keyOf(home, ALL);
  const ofKey = await byExecute(own.call);
  expect([await status(ofKey, own.call), await status(ofKey, owner)]).toEqual([403, 403]);
  expect(await status(ofKey, ofBuilder.call)).toBe(200);

  const ofHook = await start(own.call, `/api/webhooks/workflows/${hooked}`);
  expect([await status(ofHook, owner), await status(ofHook, builder.call)]).toEqual([403, 200]);

  // A sub-workflow runs on behalf of the outer starter, and its retry on behalf of both.
  const ofParent = await byExecute(builder.call, parent);
  await home.until(ofParent, ({ executionPath }) => executionPath?.[0]?.input?.executionId !== undefined);
  const [child] = (await home.read(ofParent, 'childExecutions')).childExecutions;
  expect([await status(child.id, builder.call), await status(child.id, owner)]).toEqual([403, 200]);
  const first = await byExecute(builder.call);
  await home.asked(first, 'ask');
  await home.api('POST', `/api/executions/${first}/cancel`);
  await home.finished(first);
  const again = await start(owner, `/api/executions/${first}/retry`);
  expect([await status(again, builder.call), await status(again, owner)]).toEqual([403, 403]);
  expect(await status(again, ofBuilder.call)).toBe(200);
});
