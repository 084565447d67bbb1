import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const done = action('done', 'core.set', { values: { done: true } });

test('a webhook takes GET and POST unless it says which; another method is 405 and starts nothing', async () => {
  const home = await makeHome();
  const CASES = [
    [undefined, ['GET', 'POST', 'PUT'], ''],
    [['POST'], ['POST', 'PUT'], 'POST, PUT'],
    [['GET'], ['GET'], 'GET'],
  ] as const;
  for (const [methods, taken, allow] of CASES) {
    const config = { secret: 'sesame', ...(methods ? { methods } : {}) };
    const id = await home.deploy({ slug: 'hook', trigger: webhook(config), nodes: [done] });
    const started = async () => (await home.api('GET', '/api/executions')).body.length as number;
    let before = await started();
    for (const method of ['GET', 'POST', 'PUT']) {
      const headers = { 'x-webhook-secret': 'sesame' };
      const answer = await home.api(method, `/api/webhooks/workflows/${id}`, { headers });
      if ((taken as readonly string[]).includes(method)) {
        expect([method, answer.status]).toEqual([method, 200]);
        before += 1;
      } else {
        expect([method, answer.status, answer.body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
        expect(answer.headers.get('allow')).toBe(allow);
      }
    }
    expect(await started()).toBe(before);
  }
});

test.each([[[]], [['PATCH']], [['GET', 'GET']], ['GET']])(
  'methods %j are refused with their place',
  async (methods) => {
    const home = await makeHome();
    const body = { slug: 'hook', trigger: webhook({ methods }), nodes: [done], edges: [] };
    const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'trigger.config.methods']);
  },
);

test('the features tell the version and the console to all, and where the engine is to those who may read executions', async () => {
  const home = await makeHome();
  const path = '/api/discovery/enabled-features';
  const whole = (await home.api('GET', path)).body;
  expect(whole).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    consoleUrl: new URL('/console/', home.url).href,
    temporalUiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    temporalNamespace: 'default',
  });
  const made = await home.api('POST', '/api/api-keys', { body: { name: 'reader', permissions: ['workflows:read'] } });
  const { temporalUiUrl: _, temporalNamespace: __, ...rest } = whole;
  expect((await api(home.url, made.body.apiKey)('GET', path)).body).toEqual(rest);
});
