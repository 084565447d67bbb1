// test: long
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../config.ts';
import { runExamples } from '../../embedded/examples/examples.ts';
import { startScriptedModel } from '../../embedded/examples/scriptedModel.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { answersOf, commandsOf, printedBy } from '../setup/documents/documentedCommands.ts';
import { README } from '../setup/documents/readme.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { startModelProvider } from '../setup/providers/modelProvider.ts';
import { say } from '../setup/providers/modelScript.ts';
import { OAUTH_CLIENT, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { action, manual } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { logIn } from '../setup/workspace/people.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

describe('README', () => {
  const WEBHOOKS = join(PROJECT_ROOT, 'docs/webhooks.md');

  function withPerdure(): string {
    const bin = mkdtempSync(join(tmpdir(), 'perdure-bin-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    const command = join(PROJECT_ROOT, 'dist/cli/main.js');
    writeFileSync(join(bin, 'perdure'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
    return `${bin}${delimiter}${process.env.PATH}`;
  }

  test("the README's first workflow runs as it is written, by the command line", async () => {
    const commands = commandsOf(README, 'A first workflow');
    const stdout = await printedBy(commands, await makeWorkspace(), { PATH: withPerdure() });
    expect(stdout).toContain('1 file is valid.');
    expect(stdout).toContain('Ada asks for 42.5');
    const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
    expect(JSON.parse(last)).toMatchObject({ status: 'COMPLETED', output: { refund: 42.5, person: 'ADA' } });
  });

  test('docs/webhooks.md continues in the folder, and the shell, in which the README ends', async () => {
    const commands = `${commandsOf(README, 'A first workflow')}\n${commandsOf(WEBHOOKS, 'Try it with curl')}`;
    const stdout = await printedBy(commands, await makeWorkspace(), { PATH: withPerdure() });
    const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
    expect(JSON.parse(last)).toMatchObject({ status: 'COMPLETED', output: { refund: 42.5, person: 'ADA' } });
  });

  test('docs/webhooks.md: a workflow that starts by a webhook, as it is written', async () => {
    const commands = commandsOf(WEBHOOKS, 'Try it with curl');
    expect(commands.match(/curl/g)?.length).toBeGreaterThanOrEqual(4);
    const stdout = await printedBy(commands, await makeWorkspace());
    expect(stdout).toContain('"title":"Ada asks for 42.5"');
    expect(stdout).toContain('"accepted":true');
    const [last = ''] = stdout.trimEnd().split('\n').slice(-1);
    expect(JSON.parse(last)).toMatchObject({
      status: 'COMPLETED',
      output: { refund: 42.5, person: 'ADA' },
    });
  });
});

describe('access', () => {
  const PAGE = join(PROJECT_ROOT, 'docs/access.md');

  test('docs/access.md: a person confirms who they are, as it is written', async () => {
    const workspace = await makeWorkspace();
    const { access_token } = await logIn(workspace, workspace);
    const environment = { URL: workspace.url, TOKEN: access_token, PASSWORD: workspace.password };
    const printed = await printedBy(commandsOf(PAGE, 'Confirm who you are'), workspace, environment);
    const [shown] = answersOf(printed);
    expect(Date.parse(shown.confirmedUntil)).toBeGreaterThan(Date.now());
  });

  test('docs/access.md: a key that may only run workflows, as it is written', async () => {
    const home = await makeHome();
    const WORKFLOW = await home.deploy({ trigger: manual(), nodes: [action('set', 'core.set', { values: { a: 1 } })] });
    const commands = commandsOf(PAGE, 'Give a person or a key permissions');
    const printed = await printedBy(commands, home, { URL: home.url, ADMIN_KEY: home.apiKey, WORKFLOW });
    const [started, read, ran] = answersOf(printed);
    expect(await home.ended(started.executionId)).toMatchObject({ status: 'COMPLETED' });
    expect(read).toMatchObject({ status: 403, code: 'FORBIDDEN', detail: 'The permission objects:read is missing' });
    const [, documented = ''] = /^The last answer:\n\n```json\n(.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
    expect(ran).toMatchObject(JSON.parse(documented));
  });

  test('docs/access.md: the settings of mail and single sign-on are taken as they are written', async () => {
    const settings = ['Send links by e-mail', 'Set up single sign-on']
      .map((section) => commandsOf(PAGE, section))
      .join('\n');
    const [environment] = answersOf(
      await printedBy(`${settings}\nnode -p 'JSON.stringify(process.env)'`, await makeWorkspace()),
    );
    const { SMTP_URL, MAIL_FROM, CLIENT_URL, PUBLIC_URL, SSO_PROVIDERS } = environment;
    const config = readConfig({
      ...{ SMTP_URL, MAIL_FROM, CLIENT_URL, PUBLIC_URL, SSO_PROVIDERS },
      TOKEN_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      DATABASE_URL: 'postgres://localhost/none',
    });
    expect(config).toMatchObject({
      MAIL_FROM,
      CLIENT_URL,
      PUBLIC_URL,
      SSO_PROVIDERS: [{ id: 'acme', ssoEnforced: true }],
    });
  });
});

describe('agents and knowledge', () => {
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

    // A second run finds everything: it asks no question and creates no duplicates.
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
});

describe('projects as code', () => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of commands
  type Loose = any;

  test('docs/project-as-code.md: plan and apply, as it is written', async () => {
    const commands = commandsOf(join(PROJECT_ROOT, 'docs/project-as-code.md'), 'Plan and apply with curl');
    const [plan, applied, again, exported, changed, without] = answersOf(
      await printedBy(commands, await makeWorkspace()),
    );
    const actions = ({ plan: entries }: Loose) => entries.map(({ action, slug }: Loose) => `${action} ${slug}`);
    const slugs = ['refunds', 'LIMIT', 'TOKEN', 'refund', 'tell'];
    expect([plan.applied, actions(plan)]).toEqual([false, slugs.map((slug) => `create ${slug}`)]);
    expect([applied.applied, applied.plan]).toEqual([true, plan.plan]);
    // The plan does not reveal whether the given secret is the stored one.
    expect(actions(again)).toEqual(slugs.map((slug) => `${slug === 'TOKEN' ? 'update' : 'unchanged'} ${slug}`));
    expect(exported.resources.map(({ slug }: Loose) => slug)).toEqual(slugs);
    expect(JSON.stringify(exported)).not.toContain('a-secret-token');
    expect(changed.plan[0]).toMatchObject({ action: 'update', changes: [{ path: 'batchSize', from: 5, to: 9 }] });
    expect(actions(without)).toEqual(slugs.map((slug) => `${slug === 'TOKEN' ? 'delete' : 'unchanged'} ${slug}`));
  });
});

describe('client', () => {
  const run = promisify(execFile);

  test("docs/client.md: its first example runs as it is written, with another address and a workflow's id", async () => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/client.md'), 'utf8');
    const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    const { url, apiKey, deploy } = await makeHome();
    const id = await deploy({
      slug: 'greet',
      trigger: { type: 'manual', config: { fields: [{ key: 'name', label: 'Name', type: 'text', required: true }] } },
      nodes: [
        {
          id: 'hello',
          type: 'action',
          appId: 'core',
          actionId: 'set',
          inputs: { values: { to: '{{ trigger.name }}' } },
        },
      ],
    } as never);
    const folder = mkdtempSync(join(tmpdir(), 'perdure-client-'));
    onTestFinished(async () => rmSync(folder, { recursive: true }));
    const client = JSON.stringify(join(PROJECT_ROOT, 'client/dist/index.js'));
    expect(example).toContain("'perdure-client'");
    expect(example).toContain("'http://127.0.0.1:3000'");
    const program = `const workflowId = ${JSON.stringify(id)};\n${example}`
      .replace("'perdure-client'", client)
      .replace("'http://127.0.0.1:3000'", JSON.stringify(url));
    writeFileSync(join(folder, 'example.mjs'), program);
    const env = { ...process.env, PERDURE_API_KEY: apiKey };
    const { stdout } = await run(process.execPath, [join(folder, 'example.mjs')], { env });
    expect(stdout).toBe("COMPLETED { to: 'Ada' }\n");
  });
});

describe('connections', () => {
  const PAGE = join(PROJECT_ROOT, 'docs/connections.md');

  test('docs/connections.md: OAuth2 by hand, as it is written', async () => {
    const workspace = await makeWorkspace();
    const redirectUri = `${workspace.url.replace(/\/$/, '')}/api/connections/oauth2/callback`;
    const provider = await startOAuthProvider({ redirectUri });
    const environment = {
      AUTHORIZATION_URL: `${provider.issuer}/auth`,
      TOKEN_URL: `${provider.issuer}/token`,
      API_URL: `${provider.issuer}/api/accounts`,
      CLIENT_ID: OAUTH_CLIENT.clientId,
      CLIENT_SECRET: OAUTH_CLIENT.clientSecret,
    };
    const first = commandsOf(PAGE, 'Connect with OAuth2');
    const [begun] = answersOf(await printedBy(first, workspace, environment));
    const back = await provider.authorize(begun.authorizationUrl);
    const { headers } = await provider.comeBack(back);
    expect(headers.get('location')).toContain('/connections?connected=');

    const helpers = first.slice(0, first.indexOf('# Where the person goes'));
    const then = `${helpers}\n${commandsOf(PAGE, 'Use the connection')}`;
    const [read, tested, run, waiting, again] = answersOf(await printedBy(then, workspace, environment));
    expect(read).toMatchObject({ name: 'Bank', status: 'connected' });
    expect(tested).toMatchObject({ status: 'connected' });
    expect(run).toMatchObject({ status: 'COMPLETED', output: { body: { isGood: true } } });
    expect(waiting).toEqual([]);
    expect(again.authorizationUrl).toContain('/console/connect?ticket=');
  }, 60_000);
});

describe('entities', () => {
  const SECTIONS = ['Define a type', 'Create and move an entity', 'Find entities', 'Import and export entities'];

  test('docs/objects.md: from the type to the export, as it is written', async () => {
    const commands = SECTIONS.map((section) => commandsOf(join(PROJECT_ROOT, 'docs/objects.md'), section)).join('\n');
    const answers = answersOf(await printedBy(commands, await makeWorkspace()));
    const [type, updated, transitions, moved, history, deleted, restored, found, ofAnn, template, imported, rows] =
      answers;
    expect(type).toMatchObject({ slug: 'order', created: true });
    expect(updated).toMatchObject({ name: 'Order 1042', state: 'draft' });
    expect(transitions).toMatchObject({
      currentState: 'draft',
      transitions: [{ to: 'approved' }, { to: 'cancelled' }],
    });
    expect(moved.state).toBe('approved');
    expect(history).toMatchObject([{ from: 'draft', to: 'approved' }]);
    expect(deleted).toBe(true);
    expect(restored).toMatchObject({ id: updated.id, state: 'approved' });
    expect(found.items).toMatchObject([{ id: updated.id }]);
    expect(ofAnn.items).toEqual([]);
    expect(template.headers[0]).toBe('name');
    expect(imported).toEqual({ total: 1, created: 1, updated: 0, failed: 0, errors: [] });
    expect(rows.map(({ total }: { total: number }) => total)).toEqual([99.5, 120]);
  });
});

describe('queues', () => {
  const PAGE = join(PROJECT_ROOT, 'docs/queues.md');
  const BY_HAND = commandsOf(PAGE, 'Work on items by hand');

  test('docs/queues.md: work on items, as it is written', async () => {
    const answers = answersOf(await printedBy(BY_HAND, await makeWorkspace()));
    const [made, bulk, ready, beaten, done, read, found, stats] = answers;
    expect(made).toMatchObject({ externalId: 'order-1017', status: 'PENDING' });
    expect(bulk.summary).toMatchObject({ requested: 1, created: 1 });
    expect(ready.map((item: { externalId: string }) => item.externalId)).toEqual(['order-1017', 'order-1018']);
    expect(beaten).toMatchObject({ id: made.id, lease: { worker: 'desk-3' } });
    expect(done).toMatchObject({ id: made.id, status: 'COMPLETED' });
    expect(read.history.at(-1)).toMatchObject({ to: 'COMPLETED', note: 'refunded by hand' });
    expect(found.pagination.total).toBe(1);
    expect(stats.byStatus).toMatchObject({ PENDING: 1, COMPLETED: 1 });
  });

  test('docs/queues.md: the order desk, as it is written', async () => {
    const workspace = await makeWorkspace();
    const said: string[] = [];
    const start = () =>
      runExamples(['order-desk'], {
        credentials: { ...workspace, temporalUiUrl: null },
        namespace: 'default',
        say: (line) => said.push(line),
      });
    await start();
    expect(said).toEqual(expect.arrayContaining(['  Order 1  shipped', '  Order 2  review']));
    const helpers = BY_HAND.slice(0, BY_HAND.indexOf('# A queue'));
    const printed = await printedBy(`${helpers}\n${commandsOf(PAGE, 'Try the order desk')}`, workspace);
    const [orders, transitions, , approved, reviewed, shipped, history] = answersOf(printed);
    expect(orders.items.map(({ state }: { state: string }) => state)).toEqual(['shipped', 'review']);
    expect(transitions.transitions).toContainEqual(
      expect.objectContaining({ to: 'approved', missingFields: ['approvedBy'] }),
    );
    expect(approved.state).toBe('approved');
    expect(reviewed.status).toBe('COMPLETED');
    expect(shipped).toMatchObject({ name: 'Order 2', state: 'shipped' });
    expect(history.map(({ to }: { to: string }) => to)).toEqual(['shipped', 'approved', 'review']);
    // A second run finds everything and creates no duplicates.
    said.length = 0;
    await start();
    expect(said).toEqual(expect.arrayContaining(['  Order 1  shipped', '  Order 2  shipped']));
  });

  test('an unknown example is an error before anything starts', async () => {
    const credentials = { ...(await makeWorkspace()), temporalUiUrl: null };
    const refused = runExamples(['order-desk', 'order-disk'], { credentials, namespace: 'd', say: () => {} });
    await expect(refused).rejects.toThrow(
      '--example order-disk: expected one of order-summary, order-approval, order-desk, support-agent, nightly-report, ',
    );
  });
});
