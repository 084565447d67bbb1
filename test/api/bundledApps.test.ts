// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as files hold them
import { describe, expect, test } from '@jest/globals';
import { ROLE_PERMISSIONS } from '../../domain/access/permission.ts';
import { signedHeaders } from '../../domain/event/signedMessage.ts';
import { api } from '../setup/api/client.ts';
import { loopback, type SeenCall } from '../setup/providers/loopback.ts';
import { commandFolder } from '../setup/stack/commandLine.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const json = { 'content-type': 'application/json' };
const OWN_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const pay = { kind: 'workflow', slug: 'pay', nodes: [action('pay', 'billing.charge')], edges: [] };

function billing(more: object = {}) {
  const runs = { on: 'http', baseUrl: 'https://billing.example' };
  return { kind: 'app', slug: 'billing', runs, actions: [{ actionId: 'charge' }], ...more };
}

async function makeProject() {
  const home = await makeHome();
  const place = `/api/projects/${home.projectId}`;
  const apply = (resources: object[], more = {}) =>
    home.api('POST', `${place}/apply`, { body: { resources, ...more } });
  const exported = async () => (await home.api('GET', `${place}/export`)).body;
  const lastApply = async () =>
    (
      await stackDatabase().project.findUniqueOrThrow({
        where: { id: home.projectId },
        select: { lastApply: true },
      })
    ).lastApply;
  return { ...home, apply, exported, lastApply };
}

/** A service whose calls are kept. */
async function service() {
  const { url, calls } = await loopback((_, response) => response.writeHead(200, json).end('{"output":1}'));
  return { runs: { on: 'http', baseUrl: url }, calls };
}

function expectSigned({ headers, body }: SeenCall, secret: string): void {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
  expect(headers).toMatchObject(signedHeaders(secret, { id: String(headers['webhook-id']), sentAt, body }));
}

describe('an http app of a bundle', () => {
  test('gets a secret that signs its calls, and that only the answer of the first apply shows', async () => {
    const { runs, calls } = await service();
    const home = await makeProject();
    const planned = await home.apply([billing({ runs }), pay], { dryRun: true });
    expect(JSON.stringify(planned.body)).not.toContain('whsec_');
    const { body: first } = await home.apply([billing({ runs }), pay]);
    const { secret } = first.plan[0];
    expect(first.plan).toMatchObject([{ kind: 'app', action: 'create', secret: expect.stringMatching(/^whsec_/) }, {}]);
    const { body: again } = await home.apply([billing({ runs, description: 'Changed' }), pay]);
    expect(again.plan).toMatchObject([{ kind: 'app', action: 'update' }, {}]);

    const { body: workflows } = await home.api('GET', '/api/workflows');
    await home.ended(await home.execute(workflows[0].id));
    expectSigned(calls[0] as SeenCall, secret);
    const log = await home.api('GET', '/api/audit-log');
    const shown = [again, await home.exported(), log.body, await home.lastApply()];
    expect(JSON.stringify(shown)).not.toContain('whsec_');
  });

  test('may bring its own secret, which replaces the present one and is shown nowhere', async () => {
    const { runs, calls } = await service();
    const home = await makeProject();
    await home.apply([billing({ runs })]);
    const given = [billing({ runs, secret: OWN_SECRET }), pay];
    const { body: changed } = await home.apply(given);
    const mask = '********';
    expect(changed.plan[0]).toEqual({
      ...{ kind: 'app', slug: 'billing', action: 'update' },
      changes: [{ path: 'secret', from: mask, to: mask }],
    });
    const { body: workflows } = await home.api('GET', '/api/workflows');
    await home.ended(await home.execute(workflows[0].id));
    expectSigned(calls[0] as SeenCall, OWN_SECRET);
    expect(JSON.stringify([changed, await home.exported(), await home.lastApply()])).not.toContain(OWN_SECRET);
    // A plan does not confirm a guess.
    expect((await home.apply(given, { dryRun: true })).body.plan).toMatchObject([{ action: 'update' }, {}]);
  });

  test('is refused with a secret that cannot sign, and so is a secret of another app', async () => {
    const { apply } = await makeProject();
    const worker = { slug: 'jobs', runs: { on: 'worker', taskQueue: 'of-test-jobs' } };
    const { status, body } = await apply([billing({ secret: '********' }), billing({ ...worker, secret: OWN_SECRET })]);
    expect([status, body.errors]).toMatchObject([
      400,
      [{ path: 'resources[0].secret' }, { path: 'resources[1].secret' }],
    ]);
  });
});

test('an app of a bundle names only task queues that its workspace may use', async () => {
  const { apply } = await makeProject();
  const queue = (taskQueue: string) => billing({ runs: { on: 'worker', taskQueue } });
  const { status, body } = await apply([queue('of-others')]);
  expect([status, body.errors]).toMatchObject([
    400,
    [{ path: 'resources[0].runs.taskQueue', message: expect.stringContaining('WORKER_TASK_QUEUES') }],
  ]);
  expect((await apply([queue('of-test-jobs')])).status).toBe(200);
});

test('a builder applies a bundle with an app that does not change', async () => {
  const { api: own, apply, projectId, url } = await makeProject();
  const permissions = [...ROLE_PERMISSIONS.builder];
  const { body: key } = await own('POST', '/api/api-keys', { body: { name: 'builder', permissions } });
  const builder = api(url, key.apiKey);
  const asBuilder = (resources: object[], more = {}) =>
    builder('POST', `/api/projects/${projectId}/apply`, { body: { resources, ...more } });
  const refused = { code: 'FORBIDDEN', errors: [{ path: 'resources[1].kind' }] };
  expect((await asBuilder([pay, billing()])).body).toMatchObject(refused);
  await apply([billing()]);
  expect((await asBuilder([pay, billing()])).status).toBe(200);
  expect((await asBuilder([pay, billing({ description: 'Other' })])).body).toMatchObject(refused);
  expect((await asBuilder([pay, billing({ secret: OWN_SECRET })])).body).toMatchObject(refused);
  expect((await asBuilder([pay], { delete: true })).body.code).toBe('FORBIDDEN');
});

test('a folder gives the secret by the environment; apply prints one that it makes, and pull keeps the line', async () => {
  const { runs } = await service();
  const home = await makeProject();
  const folder = commandFolder({
    ...{ PERDURE_URL: home.url, PERDURE_API_KEY: home.apiKey, PERDURE_PROJECT: home.projectId },
  });
  const file = `name: Billing\nruns: { on: http, baseUrl: "${runs.baseUrl}" }\nactions:\n  - actionId: charge\n`;
  folder.write({ 'apps/billing.yaml': file });
  const made = await folder.perdure(['apply', '--yes']);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('app billing: calls are signed with whsec_') });

  const withSecret = `${file}secret: \${env:BILLING_SECRET}\n`;
  folder.write({ 'apps/billing.yaml': withSecret, 'perdure.yaml': 'environment: [BILLING_SECRET]\n' });
  expect(await folder.perdure(['validate'])).toMatchObject({ code: 0 });
  const given = await folder.perdure(['apply', '--yes'], { BILLING_SECRET: OWN_SECRET });
  expect([given.code, given.stdout.includes('whsec_'), given.stderr.includes(OWN_SECRET)]).toEqual([0, false, false]);
  for (const environment of [{}, { BILLING_SECRET: OWN_SECRET }] as Record<string, string>[]) {
    expect(await folder.perdure(['pull'], environment)).toMatchObject({ code: 0 });
    expect(folder.read('apps/billing.yaml')).toBe(withSecret);
  }
});
