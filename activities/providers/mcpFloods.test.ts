import { expect, test } from '@jest/globals';
import { type Loopback, loopback } from '../../test/setup/providers/loopback.ts';
import { buildMcpSessions, type McpSession } from './mcpSession.ts';

// Each of these answers used to block or end the process, because of the SDK.

const MAX_BYTES = 10_000_000;
const json = (id: unknown, result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const GREETING = '{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';
const filled = (piece: string) => piece.repeat(Math.floor((MAX_BYTES - 1_000) / piece.length));

interface Answers {
  initialize?: (id: unknown) => string;
  'tools/list'?: (id: unknown) => string;
  'tools/call'?: (id: unknown) => string;
  type?: string;
}

async function serverOf({ type = 'text/event-stream', ...answers }: Answers): Promise<Loopback> {
  return loopback(({ method, body }, response) => {
    const { id, method: asked = '' } = method === 'POST' ? JSON.parse(body) : {};
    const given = answers[asked as 'tools/call']?.(id);
    if (given === undefined && asked === 'initialize')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(json(id, GREETING));
    if (given === undefined) return response.writeHead(method === 'POST' ? 202 : 405).end();
    const contentType = asked === 'initialize' ? 'application/json' : type;
    response.writeHead(200, { 'content-type': contentType }).end(given);
  });
}

function asked<T>({ url }: Loopback, work: (session: McpSession) => Promise<T>): Promise<T> {
  const sessions = buildMcpSessions({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: MAX_BYTES });
  const limits = { timeoutMs: 120_000, signal: new AbortController().signal };
  return sessions({ url, workspaceId: 'w', headers: {} }, limits, work);
}
const call = (session: McpSession) => session.callTool('a', {});
const said = (id: unknown) => `data: ${json(id, '{"content":[{"type":"text","text":"ok"}]}')}\n\n`;
const OK = { content: [{ type: 'text', text: 'ok' }], structuredContent: undefined, isError: false };

test.each([
  ['notifications', 'data: {"jsonrpc":"2.0","method":"x"}\n\n'],
  ['events that are no messages', 'data:1\n\n'],
  ['unknown fields', 'a\n'],
  ['ends of lines alone, of both kinds', `${'\r'.repeat(60_000)}\n`],
])('an answer behind ten million bytes of %s is taken', async (_, piece) => {
  const server = await serverOf({ 'tools/call': (id) => `${filled(piece)}\n\n${said(id)}` });
  expect(await asked(server, call)).toEqual(OK);
});

test('an answer of a million lines is one answer', async () => {
  const lines = 'data:\n'.repeat(1_000_000);
  const server = await serverOf({ 'tools/call': (id) => lines + said(id) });
  expect(await asked(server, call)).toEqual(OK);
});

test('questions of a server are answered, and endless questions end the session', async () => {
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
  const some = await serverOf({ 'tools/call': (id) => `data: ${ping}\n\n`.repeat(20) + said(id) });
  expect(await asked(some, call)).toEqual(OK);
  const endless = await serverOf({ 'tools/call': (id) => filled(`data: ${ping}\n\n`) + said(id) });
  await expect(asked(endless, call)).rejects.toThrow('with more than 100 messages');
  expect(endless.calls.length).toBeLessThan(110);
});

test.each([
  ['many messages', (id: unknown) => `[${'{"jsonrpc":"2.0","id":7,"method":"ping"},'.repeat(200)}${json(id, '{}')}]`],
  ['no answer', () => `[${filled('1,')}1]`],
  ['a result of contents that are none', (id: unknown) => json(id, `{"content":[${filled('{},')}{}]}`)],
  ['a structure that is none', (id: unknown) => json(id, '{"structuredContent":1}')],
])('an answer with %s is refused at once', async (_, answer) => {
  const server = await serverOf({ type: 'application/json', 'tools/call': answer });
  await expect(asked(server, call)).rejects.toThrow(/^with (more than 100 messages|no message|an invalid result)/);
});

test.each([
  ['that ends without an answer', () => 'data: {"jsonrpc":"2.0","method":"x"}\n\n', 'It ended without an answer'],
  ['that is too large', () => filled('data: x\n').repeat(2), /is larger than 10000000 bytes$/],
])('a stream %s fails then, not when the time is over', async (_, answer, reason) => {
  await expect(asked(await serverOf({ 'tools/call': answer }), call)).rejects.toThrow(reason);
});

test('only the requested part of a list is read, and of a tool only the maximum size', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const tool = (schema: string) => `{"name":"a","inputSchema":{"type":"object"${schema}}}`;
  const large = `,"properties":{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1,`).join('')}"z":1}`;
  const tools = `${tool(large)},${tool(`,"x":${deep}`)},${tool('')},${'{},'.repeat(1_000_000)}{}`;
  const server = await serverOf({ type: 'application/json', 'tools/list': (id) => json(id, `{"tools":[${tools}]}`) });
  const { tools: listed, malformed } = await asked(server, (session) => session.listTools(50));
  expect([listed.map(({ name }) => name), malformed]).toEqual([['a'], 49]);
});

test('a greeting has less than any other answer', async () => {
  const large = GREETING.replace('"tools":{}', `"experimental":{${filled('"a":1,')}"z":1}`);
  const server = await serverOf({ initialize: (id) => json(id, large) });
  await expect(asked(server, call)).rejects.toThrow(/is larger than 262144 bytes$/);
});
