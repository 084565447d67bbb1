import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { CustomApp } from '../domain/app/customApp.ts';
import { type ActionManifest, findAction } from '../domain/app/manifest.ts';
import { mayRepeat } from '../domain/app/mayRepeat.ts';
import type { JsonObject } from '../domain/json.ts';
import { importedTools } from '../domain/mcp/toolAction.ts';
import { importedApp } from '../domain/openapi/importedApp.ts';
import { createLog } from '../process/log.ts';
import { onTestFinished } from '../test/setup/jest/onTestFinished.ts';
import { loopback } from '../test/setup/providers/loopback.ts';
import { said, startMcpServer } from '../test/setup/providers/mcpServer.ts';
import { buildCatalogue } from './apps/catalogue.ts';
import { buildCustomExecutors } from './apps/custom/customExecutors.ts';
import { buildMcpApp } from './apps/custom/mcpApp.ts';
import { buildOpenApi } from './apps/custom/openApi.ts';
import { OpenApiDocuments } from './apps/custom/openApiDocuments.ts';
import type { Executor } from './apps/executor.ts';
import { buildGitHub } from './apps/github/issues.ts';
import { buildRequest } from './apps/http/request.ts';
import { buildSlack } from './apps/slack/messages.ts';
import { buildSend } from './apps/smtp/send.ts';
import { callAction } from './callAction.ts';
import type { CalledAction } from './calledAction.ts';
import { buildMcpSessions } from './providers/mcpSession.ts';

const catalogue = buildCatalogue({ testing: true });

/** `once`: a call whose answer was lost is not made again. `key`: it is, because its receiver gets the same key. */
const GUARANTEES: Readonly<Record<string, 'once' | 'key'>> = {
  'github.comment': 'once',
  'github.createIssue': 'once',
  'http.request': 'key',
  'imap.move': 'once',
  'mysql.execute': 'once',
  'objects.setState': 'key',
  'postgres.execute': 'once',
  'slack.postMessage': 'once',
  'smtp.send': 'once',
};

describe('an action of the catalogue', () => {
  const actions = [...catalogue.values()].flatMap(({ appId, actions: of }) =>
    of.map((action): [string, ActionManifest] => [`${appId}.${action.actionId}`, action]),
  );

  it.each(actions)('%s has the guarantee of the table, or does no harm if it is repeated', (name, action) => {
    const guarantee = GUARANTEES[name] ?? 'harmless';
    expect([mayRepeat(action, undefined), action.repeatable]).toEqual([guarantee !== 'once', guarantee === 'harmless']);
  });

  it.each<[CustomApp['custom']['runs']['on'], boolean]>([
    ['worker', true],
    ['http', true],
    ['function', true],
    ['openapi', false],
    ['mcp', false],
    ['piece', false],
  ])('of an app that runs on %s gets the key: %s', (on, isKeyed) => {
    const runs = { on } as unknown as CustomApp['custom']['runs'];
    expect(mayRepeat({ repeatable: false }, runs)).toBe(isKeyed);
    expect(mayRepeat({ repeatable: true }, runs)).toBe(true);
  });
});

/** A server that ends or keeps a connection as soon as it has received something. */
async function silentServer(onData: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined).once('data', () => onData(socket)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const breaking = () => silentServer((socket) => socket.destroy());

/** A call that is stopped as soon as its server has received it. */
async function stopped(): Promise<Case> {
  const stop = new AbortController();
  return { url: await silentServer(() => stop.abort()), cancellation: stop.signal };
}

/** An address at which nothing listens. */
async function closed(): Promise<string> {
  const { url, close } = await loopback();
  await close();
  return url;
}

const guarded = { allowedPrivateHosts: ['127.0.0.1'], maxResponseBytes: 10_000 };

interface Case {
  url: string;
  cancellation?: AbortSignal;
}

const BUILT_IN: Readonly<Record<string, (url: string) => { executor: Executor | undefined; inputs: JsonObject }>> = {
  'slack.postMessage': (url) => ({
    executor: buildSlack({ ...guarded, slackUrl: url }).postMessage,
    inputs: { channel: 'C1', text: 'hi' },
  }),
  'slack.updateMessage': (url) => ({
    executor: buildSlack({ ...guarded, slackUrl: url }).updateMessage,
    inputs: { channel: 'C1', ts: '1.2', text: 'hi' },
  }),
  'github.createIssue': (url) => ({
    executor: buildGitHub({ ...guarded, gitHubUrl: url }).createIssue,
    inputs: { owner: 'o', repo: 'r', title: 't' },
  }),
  'http.request': (url) => ({ executor: buildRequest(guarded), inputs: { method: 'POST', url, body: { a: 1 } } }),
};

function called(name: string, inputs: JsonObject, more: Partial<CalledAction> = {}): CalledAction {
  const [appId = '', actionId = ''] = name.split('.');
  return {
    ...{ appId, actionId, action: findAction(catalogue, appId, actionId), inputs },
    ...{ key: 'key-1', attempt: 1, clock: {}, origin: { workspaceId: 'w', executionId: 'e', stepId: 's' } },
    ...more,
  };
}

async function outcome(name: string, { url, cancellation }: Case) {
  const { executor, inputs } = BUILT_IN[name]?.(url) ?? {};
  const services = { executorOf: () => executor as Executor, customExecutor: buildCustomExecutors({}) };
  const result = await callAction(
    { ...services, catalogue, log: createLog('silent') },
    called(name, inputs ?? {}, {
      connection: { type: 'apiKey', credentials: { botToken: 'xoxb-1', apiKey: 'k', allowedHosts: new URL(url).host } },
      clock: cancellation === undefined ? {} : { cancellation },
    }),
  );
  if (result.ok) throw new Error('a lost answer is a failure');
  const { code, retryable, details } = result.failure;
  return [code, retryable, ...(details?.cause === undefined ? [] : [details.cause])];
}

describe('a request without an answer', () => {
  const MAY_NOT = ['slack.postMessage', 'github.createIssue'];
  const MAY = ['slack.updateMessage', 'http.request'];

  it.each(MAY_NOT)('of %s fails for good', async (name) => {
    expect(await outcome(name, { url: await breaking() })).toEqual(['ANSWER_LOST', false, 'HTTP_CONNECTION_FAILED']);
    expect(await outcome(name, await stopped())).toEqual(['ANSWER_LOST', false, 'TIMEOUT']);
  });

  it.each(MAY)('of %s may be made again', async (name) => {
    expect(await outcome(name, { url: await breaking() })).toEqual(['HTTP_CONNECTION_FAILED', true]);
    expect(await outcome(name, await stopped())).toEqual(['TIMEOUT', true]);
  });

  it.each([...MAY_NOT, ...MAY])('of %s that has not left may be made again', async (name) => {
    expect(await outcome(name, { url: await closed() })).toEqual(['HTTP_CONNECTION_FAILED', true]);
    const withoutTls = (await loopback()).url.replace('http:', 'https:');
    const [, retryable, cause] = await outcome(name, { url: withoutTls });
    expect([retryable, cause]).toEqual([true, undefined]);
  });

  it('is no lost one if an error answers it', async () => {
    const { url } = await loopback((_, response) => response.writeHead(503).end());
    expect(await outcome('slack.postMessage', { url })).toEqual(['SLACK_UNAVAILABLE', true]);
  });

  it('says why, and what to do', async () => {
    const { executor, inputs } = BUILT_IN['slack.postMessage']?.(await breaking()) ?? {};
    const services = { executorOf: () => executor as Executor, customExecutor: buildCustomExecutors({}) };
    const result = await callAction(
      { ...services, catalogue, log: createLog('silent') },
      called('slack.postMessage', inputs ?? {}, {
        connection: { type: 'apiKey', credentials: { botToken: 'xoxb-1' } },
      }),
    );
    expect(result).toMatchObject({
      failure: {
        message: expect.stringMatching(/the connection did not hold .*\. The call may have happened: look there/),
      },
    });
  });
});

it('an e-mail that the server may have taken is not sent again', async () => {
  const lines: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 here\r\n');
    let isData = false;
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (isData) return void (text.endsWith('\r\n.\r\n') && socket.destroy());
      for (const line of text.trim().split('\r\n')) {
        lines.push(line);
        isData = line === 'DATA';
        socket.write(isData ? '354 go on\r\n' : '250 fine\r\n');
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.close());
  const credentials = {
    host: '127.0.0.1',
    port: String((server.address() as AddressInfo).port),
    user: '',
    password: '',
  };
  const executorOf = () => buildSend({ allowedPrivateHosts: ['127.0.0.1'], maxMailBytes: 10_000 });
  const services = { executorOf, customExecutor: buildCustomExecutors({}), catalogue, log: createLog('silent') };
  const inputs = { to: 'ada@example.com', from: 'shop@example.com', subject: 'Hi', text: 'Hi' };
  const result = await callAction(
    services,
    called('smtp.send', inputs, { connection: { type: 'custom', credentials } }),
  );
  expect(lines).toContain('DATA');
  expect(result).toMatchObject({ failure: { code: 'ANSWER_LOST', retryable: false } });
});

describe('an app of a service', () => {
  it('does not repeat a POST of an OpenAPI document without an Idempotency-Key', async () => {
    const outcomes: unknown[] = [];
    const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
    for (const operation of [{}, { parameters }]) {
      const paths = { '/orders': { post: { operationId: 'order', ...operation } } };
      const app = await importedApp({ openapi: '3.1.0', info: {}, servers: [{ url: await breaking() }], paths });
      if ('problems' in app) throw new Error('the document is valid');
      const documents = new OpenApiDocuments(async () => Buffer.from(app.document));
      const customExecutor = buildCustomExecutors({ openapi: buildOpenApi(guarded, documents) });
      const runs = { on: 'openapi', document: 'd' };
      const customApp = { appId: 'shop', custom: { runs, digest: 'd' } } as unknown as CustomApp;
      const services = { executorOf: () => fail(), customExecutor, catalogue, log: createLog('silent') };
      const action = app.actions[0] as unknown as ActionManifest;
      const result = await callAction(services, called('shop.order', {}, { action, customApp }));
      outcomes.push(!result.ok && result.failure.code);
    }
    expect(outcomes).toEqual(['ANSWER_LOST', 'HTTP_CONNECTION_FAILED']);
  });

  it('repeats a tool of an MCP server only if the server says that it may', async () => {
    const names = ['pay', 'look'];
    const tools = names.map((name) => ({
      ...{ name, inputSchema: { type: 'object' } },
      annotations: { idempotentHint: name === 'look' },
    }));
    const { actions, tools: digests } = importedTools(tools);
    const stop = new AbortController();
    const { url, calls } = await startMcpServer({
      tools,
      answer: () => {
        if (calls.length === names.length) stop.abort();
        return new Promise(() => said('never'));
      },
    });
    const mcpSessions = buildMcpSessions({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 10_000 });
    const customExecutor = buildCustomExecutors({ mcp: buildMcpApp({ mcpSessions, maxTools: 10, timeoutMs: 60_000 }) });
    const custom = { runs: { on: 'mcp', url, tools: digests }, digest: 'd' };
    const customApp = { appId: 'shop', name: 'Shop', custom } as unknown as CustomApp;
    const services = { executorOf: () => fail(), customExecutor, catalogue, log: createLog('silent') };
    const outcomes = await Promise.all(
      actions.map(async (action) => {
        const clock = { cancellation: stop.signal };
        const given = { action: action as unknown as ActionManifest, customApp, clock };
        const result = await callAction(services, called(`shop.${action.actionId}`, {}, given));
        return !result.ok && result.failure.code;
      }),
    );
    expect(calls).toHaveLength(2);
    expect(outcomes).toEqual(['ANSWER_LOST', 'TIMEOUT']);
  });
});

function fail(): Executor {
  throw new Error('the app is not built in');
}
