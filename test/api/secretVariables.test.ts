import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { eventsOf } from '../setup/api/events.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain, control, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const SECRET = 'hunter22-of-the-variable';
const MASK = '********';

async function makeSecret(home: Home, more: object = {}) {
  const body = { name: 'TOKEN', value: SECRET, isSecret: true, ...more };
  const { body: made } = await home.api('POST', '/api/variables?expansion=value,isSecret', { body });
  return made;
}

test('its value is in no read, in no list, and in no column', async () => {
  const home = await makeHome();
  const made = await makeSecret(home, { value: { token: SECRET, more: [SECRET] } });
  expect(made).toMatchObject({ value: MASK, isSecret: true });
  const { body: listed } = await home.api('GET', '/api/variables?expansion=value,isSecret,description');
  expect(listed).toEqual([{ id: made.id, name: 'TOKEN', value: MASK, isSecret: true, description: null }]);
  const rows = await stackDatabase().$queryRaw<object[]>`SELECT v::text FROM variables v WHERE id = ${made.id}::uuid`;
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});

test('the mask sent back keeps it, another value replaces it, and it is plain again with a value alone', async () => {
  const home = await makeHome();
  const { id } = await makeSecret(home);
  const change = (body: object) => home.api('PATCH', `/api/variables/${id}?expansion=value,isSecret,name`, { body });
  const now = async () => (await home.run({ nodes: [sizes()] })).output.size;
  const sizes = () => action('a', 'core.set', { values: { size: '{{ size(variables.TOKEN) }}' } });
  expect((await change({ value: MASK, description: 'kept' })).body).toMatchObject({ value: MASK, isSecret: true });
  expect(await now()).toBe(SECRET.length);
  expect((await change({ value: 'four' })).body).toMatchObject({ value: MASK, isSecret: true });
  expect(await now()).toBe(4);
  for (const body of [{ isSecret: false }, { isSecret: false, value: MASK }]) {
    const refused = await change(body);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'value']);
  }
  expect((await change({ isSecret: false, value: 'plain' })).body).toMatchObject({ value: 'plain', isSecret: false });
  expect((await change({ isSecret: true })).body).toMatchObject({ value: MASK, isSecret: true });
  expect(await now()).toBe(5);
  for (const value of [MASK, { ' secret': id }]) {
    const refused = await home.api('POST', '/api/variables', { body: { name: 'B', value, isSecret: true } });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'value']);
  }
});

test('steps have it, and no read of an execution shows it, not even after it was replaced or deleted', async () => {
  const home = await makeHome();
  const { id } = await makeSecret(home);
  await home.api('POST', '/api/variables', { body: { name: 'PLAIN', value: 'seen' } });
  const seen: (string | undefined)[] = [];
  const server = await loopback(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ you: headers.authorization }));
  });
  const execution = await home.run({
    nodes: [
      action('call', 'http.request', {
        method: 'GET',
        url: server.url,
        headers: { authorization: 'Bearer {{ variables.TOKEN }}' },
      }),
      action('copy', 'core.set', { values: { all: '{{ variables }}', again: '{{ steps.call.output.body.you }}' } }),
    ],
    edges: chain('call', 'copy'),
  });
  expect(execution.status).toBe('COMPLETED');
  expect(seen).toEqual([`Bearer ${SECRET}`]);
  const all = { TOKEN: '***', PLAIN: 'seen' };
  expect(stepOf(execution, 'copy').output).toEqual({ all, again: 'Bearer ***' });
  expect(stepOf(execution, 'call').input.headers).toEqual({ authorization: 'Bearer ***' });
  const reads = async () => {
    const { body } = await home.api(
      'GET',
      `/api/executions/${execution.id}?expansion=executionVariables,executionPath,output`,
    );
    const found: unknown[] = [body];
    for (const { id: stepId } of body.executionPath) {
      for (const rest of ['', '/input', '/output']) {
        found.push((await home.api('GET', `/api/executions/${execution.id}/steps/${stepId}${rest}`)).body);
      }
    }
    for await (const event of eventsOf(home.api, execution.id)) found.push(event);
    expect(JSON.stringify(found)).not.toContain('hunter22');
    return body;
  };
  expect((await reads()).executionVariables).toEqual(all);
  await home.api('PATCH', `/api/variables/${id}`, { body: { value: 'another' } });
  await reads();
  await home.api('DELETE', `/api/variables/${id}`);
  await reads();
});

test('children, retries, webhooks, runs without a workflow and node tests have it and mask it', async () => {
  const home = await makeHome();
  await makeSecret(home);
  const set = action('set', 'core.set', { values: { said: 'It is {{ variables.TOKEN }}.' } });
  const child = await home.deploy({ nodes: [set] });
  const parent = await home.run({ nodes: [control('child', 'runWorkflow', { workflowId: child })] });
  expect(stepOf(parent, 'child').output).toEqual({ said: 'It is ***.' });
  const retried = await home.api('POST', `/api/executions/${parent.id}/retry`, { body: {} });
  expect((await home.ended(retried.body.executionId)).output).toEqual({ said: 'It is ***.' });
  const hook = await home.deploy({ trigger: webhook({ respond: 'whenFinished' }), nodes: [set] });
  const answer = await api(home.url)('POST', `/api/webhooks/workflows/${hook}`, { body: {} });
  expect(answer.body).toEqual({ said: 'It is ***.' });
  const run = await home.api('POST', '/api/actions/run', {
    body: { appId: 'core', actionId: 'set', inputs: set.inputs },
  });
  expect(run.body.output).toEqual({ said: 'It is ***.' });
  const tested = await home.api('POST', `/api/workflows/${child}/nodes/set/test`, { body: {} });
  expect(tested.body).toMatchObject({ status: 'COMPLETED', output: { said: 'It is ***.' } });
});

test('a variable that was deleted after the start fails the step that names it', async () => {
  const home = await makeHome();
  const { id } = await makeSecret(home);
  const workflowId = await home.deploy({
    nodes: [
      control('ask', 'input', { fields: [], submitters: 'anyone' }),
      action('late', 'core.set', { values: { it: '{{ variables.TOKEN }}' } }),
    ],
    edges: chain('ask', 'late'),
  });
  const executionId = await home.execute(workflowId);
  await home.asked(executionId, 'ask');
  await home.api('DELETE', `/api/variables/${id}`);
  await home.submit(executionId, 'ask', {});
  const ended = await home.ended(executionId);
  expect([ended.status, stepOf(ended, 'late').error.message]).toEqual(['FAILED', expect.stringContaining('TOKEN')]);
});
