import { expect, test } from '@jest/globals';
import type { Json } from '../../domain/json.ts';
import { poll } from '../setup/jest/poll.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

const marked = (mark: Json) => ({
  trigger: manual(),
  nodes: [action('done', 'core.transform', { value: { mark } })],
  edges: chain('done'),
});
const failing = {
  trigger: manual(),
  nodes: [action('bad', 'testing.fail', { message: 'no luck' })],
  edges: chain('bad'),
};

const draftOf = (workflowId: string) => `/api/workflows/${workflowId}/draft`;
const save = (home: Home, id: string, body: object) => home.api('PUT', draftOf(id), { body });

async function drafted(home: Home, name: string, body: object = {}): Promise<string> {
  return (await home.api('POST', `/api/projects/${home.projectId}/workflows/drafts`, { body: { name, ...body } })).body
    .id;
}

async function published(home: Home, name: string, body: object): Promise<string> {
  const id = await drafted(home, name, body);
  expect((await home.api('POST', `${draftOf(id)}/publish`)).status).toBe(200);
  return id;
}

const execute = (home: Home, id: string, body: object = {}, headers: Record<string, string> = {}) =>
  home.api('POST', `${draftOf(id)}/execute`, { body, headers });

async function executed(home: Home, id: string, body: object = {}): Promise<string> {
  const { status, body: answer } = await execute(home, id, body);
  expect(status).toBe(201);
  return answer.executionId;
}

test('an execution of a draft keeps its definition, through reads and retries, whatever becomes of the draft', async () => {
  const home = await makeHome();
  const id = await published(home, 'Kept', marked('published'));
  await save(home, id, { ...failing, name: 'Another name', output: '{{ steps.?bad.?output.orValue("none") }}' });
  const first = await executed(home, id);
  const failed = await home.ended(first);
  expect([failed.status, statuses(failed)]).toEqual(['FAILED', { bad: 'FAILED' }]);
  const expansion = [
    'startedBy',
    'workflow',
    'project',
    'workflowVersion',
    'source',
    'triggerType',
    'nodes',
    'failureHandling',
  ];
  const shown = await home.read(first, ...expansion);
  expect(shown).toMatchObject({
    ...{ startedBy: { type: 'draft' }, workflow: { id, name: 'Kept' }, project: { id: home.projectId } },
    ...{
      workflowVersion: null,
      source: 'WORKFLOW',
      triggerType: 'manual',
      nodes: failing.nodes,
      failureHandling: null,
    },
  });
  expect((await home.ended(await home.execute(id))).output).toEqual({ mark: 'published' });

  await save(home, id, marked('newer'));
  expect((await home.ended(await executed(home, id))).output).toEqual({ mark: 'newer' });
  await home.api('DELETE', draftOf(id));
  expect(await home.read(first, ...expansion)).toEqual(shown);
  for (const version of ['original', 'latest']) {
    const retried = await home.api('POST', `/api/executions/${first}/retry`, { body: { version, again: true } });
    expect(retried.status).toBe(201);
    const again = await home.ended(retried.body.executionId);
    expect(statuses(again)).toEqual({ bad: 'FAILED' });
    const { body: listed } = await home.api('GET', `/api/executions?filterBy=draft:true,retryOfId:${first}`);
    expect(listed).toContainEqual({ id: retried.body.executionId });
  }
});

test('lists, counts and statistics leave drafts out unless draft:true is asked for', async () => {
  const home = await makeHome();
  const id = await published(home, 'Listed', failing);
  const real = await home.execute(id);
  await save(home, id, failing);
  const tested = await executed(home, id);
  await Promise.all([home.ended(real), home.ended(tested)]);
  const ids = async (filter: string) =>
    (await home.api('GET', `/api/executions${filter}`)).body.map((row: { id: string }) => row.id);
  expect(await ids('')).toEqual([real]);
  expect(await ids(`?filterBy=workflowId:${id},draft:false`)).toEqual([real]);
  expect(await ids('?filterBy=status:FAILED,draft:true')).toEqual([tested]);
  expect(await ids('?filterBy=startedBy:draft,draft:true')).toEqual([tested]);
  const counts = async (filter: string) => (await home.api('GET', `/api/executions/counts${filter}`)).body;
  expect([(await counts('')).FAILED, (await counts('?filterBy=draft:true')).FAILED]).toEqual([1, 1]);
  const { body: statistics } = await home.api('GET', '/api/executions/statistics?groupBy=workflow');
  expect(statistics.groups).toMatchObject([{ key: id, counts: { FAILED: 1 } }]);
  const bulk = await home.api('POST', '/api/executions/bulk/retry', {
    body: { filterBy: 'status:FAILED', dryRun: true },
  });
  expect(bulk.body.count).toBe(1);
});

test('a draft, and what it starts, start no error workflow and send no event', async () => {
  const home = await makeHome();
  const handler = await published(home, 'Handler', marked('handled'));
  const child = await published(home, 'Child', { ...failing, onFailureWorkflowId: handler });
  const call = {
    nodes: [control('call', 'runWorkflow', { workflowId: child }), question('never')],
    edges: chain('call'),
  };
  const id = await published(home, 'Parent', { ...marked(1), onFailureWorkflowId: handler });
  const events = ['execution.failed', 'execution.completed', 'question.opened'];
  const subscription = await home.api('POST', '/api/event-subscriptions', {
    body: { url: 'https://a.example', events },
  });

  await save(home, id, call);
  const tested = await executed(home, id);
  await home.asked(tested, 'never');
  await home.until(tested, ({ executionPath }) => executionPath && statuses({ executionPath }).call === 'FAILED');
  await home.ended(tested);
  const real = await home.execute(child);
  await home.ended(real);
  const handlingOf = async (executionId: string) => (await home.read(executionId, 'failureHandling')).failureHandling;
  await poll(async () => (await handlingOf(real))?.status, { timeout: 30_000 }).toBe('STARTED');
  expect(await handlingOf(tested)).toBeNull();
  const { body: children } = await home.api('GET', `/api/executions?filterBy=parentExecutionId:${tested}`);
  expect(await handlingOf(children[0].id)).toBeNull();
  const handled = (await handlingOf(real)).execution.id;
  await home.ended(handled);
  const { body: deliveries } = await home.api('GET', `/api/event-subscriptions/${subscription.body.id}/deliveries`);
  expect(deliveries.map(({ type }: { type: string }) => type).sort()).toEqual([
    'execution.completed',
    'execution.failed',
  ]);
});

test('a draft runs while its workflow is unpublished, inactive, paused or at its limit', async () => {
  const home = await makeHome();
  const id = await drafted(home, 'Never published', { ...marked('first'), maxConcurrent: 1 });
  expect((await home.ended(await executed(home, id))).output).toEqual({ mark: 'first' });

  const asking = { trigger: manual(), nodes: [question('ask')], edges: chain('ask') };
  const busy = await published(home, 'Busy', { ...asking, maxConcurrent: 1 });
  const waiting = await home.execute(busy);
  await home.asked(waiting, 'ask');
  await save(home, busy, marked('beside'));
  expect((await home.ended(await executed(home, busy))).output).toEqual({ mark: 'beside' });
  await home.api('POST', `/api/workflows/${busy}/pause`);
  await home.api('PATCH', `/api/workflows/${busy}`, { body: { isActive: false } });
  expect((await home.ended(await executed(home, busy))).output).toEqual({ mark: 'beside' });

  await save(home, busy, asking);
  const open = await executed(home, busy);
  await home.asked(open, 'ask');
  await home.api('PATCH', `/api/workflows/${busy}`, { body: { maxConcurrent: 2, isActive: true } });
  await home.api('POST', `/api/workflows/${busy}/resume`);
  await home.asked(await home.execute(busy), 'ask');
});

test('errors of a draft are 400, and a workflow without a draft has nothing to run', async () => {
  const home = await makeHome();
  const id = await drafted(home, 'Flawed', marked('{{ 1 + }}'));
  const refused = await execute(home, id);
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(refused.body.errors).toMatchObject([{ nodeId: 'done' }]);
  await save(home, id, {
    ...marked(1),
    nodes: [control('self', 'runWorkflow', { workflowId: id })],
    edges: chain('self'),
  });
  expect((await execute(home, id)).body.code).toBe('WORKFLOW_NOT_EXECUTABLE');
  await home.api('DELETE', draftOf(id));
  expect((await execute(home, id)).status).toBe(404);
});

test('the input is checked for a manual trigger, and is the sample of any other', async () => {
  const home = await makeHome();
  const field = { key: 'word', label: 'Word', type: 'secret', required: true };
  const id = await drafted(home, 'Typed', { ...marked('{{ trigger.word }}'), trigger: manual(field) });
  expect((await execute(home, id)).body.errors).toMatchObject([{ path: 'inputData.word' }]);
  const masked = await home.ended(
    await executed(home, id, { inputData: { word: 'a secret word' }, labels: { a: 'b' } }),
  );
  expect(JSON.stringify(masked)).not.toContain('a secret word');
  expect((await home.read(masked.id, 'labels')).labels).toEqual({ a: 'b' });
  const hook = await drafted(home, 'Hook', { ...marked('{{ trigger.body.order }}'), trigger: webhook() });
  const run = await home.ended(await executed(home, hook, { inputData: { body: { order: 'A-1' } } }));
  expect(run.output).toEqual({ mark: 'A-1' });
  expect((await home.read(run.id, 'triggerType')).triggerType).toBe('webhook');
});

test('a draft reads the variables of its project and calls published workflows', async () => {
  const home = await makeHome();
  const body = { name: 'WHERE', value: 'workspace' };
  await home.api('POST', '/api/variables', { body });
  await home.api('POST', '/api/variables', { body: { ...body, value: 'project', projectId: home.projectId } });
  const called = await published(home, 'Called', marked('{{ variables.WHERE }}'));
  await save(home, called, marked('the draft of the called one'));
  const id = await drafted(home, 'Caller', {
    nodes: [
      control('call', 'runWorkflow', { workflowId: called }),
      action('own', 'core.transform', { value: '{{ variables.WHERE }}' }),
    ],
    edges: chain('call', 'own'),
  });
  const run = await home.ended(await executed(home, id));
  expect([stepOf(run, 'call').output, stepOf(run, 'own').output]).toEqual([{ mark: 'project' }, 'project']);
});

test('a repeated request starts nothing new, even if the draft has changed', async () => {
  const home = await makeHome();
  const id = await drafted(home, 'Once', {
    ...marked('first'),
    nodes: [question('ask'), ...marked('first').nodes],
    edges: chain('ask', 'done'),
  });
  const key = { 'Idempotency-Key': 'once' };
  const first = await execute(home, id, {}, key);
  await save(home, id, marked('second'));
  const second = await execute(home, id, {}, key);
  expect(second.body).toEqual(first.body);
  const { executionId } = first.body;
  await home.asked(executionId, 'ask');
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).output).toEqual({ mark: 'first' });
});

test('running a draft needs what storing it needs', async () => {
  const home = await makeHome();
  await home.api('POST', '/api/variables', { body: { name: 'A', value: 'a' } });
  const id = await drafted(home, 'Guarded', marked('{{ variables.A }}'));
  const runner = (await keyOf(home, 'executions:run', 'workflows:read')).call;
  const refused = await runner('POST', `${draftOf(id)}/execute`, { body: {} });
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  const reader = (await keyOf(home, 'workflows:read', 'workflows:write')).call;
  expect((await reader('POST', `${draftOf(id)}/execute`, { body: {} })).status).toBe(403);
  const both = (await keyOf(home, 'executions:run', 'workflows:read', 'variables:read')).call;
  expect((await both('POST', `${draftOf(id)}/execute`, { body: {} })).status).toBe(201);
});
