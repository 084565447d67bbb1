import { expect, test } from '@jest/globals';
import type { ServersResult, ServersTool } from '../../../domain/agent/mcpTool.ts';
import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { ActionManifest } from '../../../domain/app/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { importedTools } from '../../../domain/mcp/toolAction.ts';
import { said, startMcpServer } from '../../../test/setup/providers/mcpServer.ts';
import { buildMcpSessions } from '../../providers/mcpSession.ts';
import type { CallConnection } from '../executor.ts';
import { buildMcpApp } from './mcpApp.ts';

const SEARCH: ServersTool = {
  name: 'search',
  title: 'Search books',
  description: 'Finds books.',
  inputSchema: {
    type: 'object',
    required: ['q'],
    properties: { q: { type: 'string' }, kind: { $ref: '#/$defs/Kind' }, 'a b': { type: 'integer' } },
    $defs: { Kind: { type: 'string', enum: ['novel', 'poem'] } },
  },
  annotations: { readOnlyHint: true },
};
const REMOVE: ServersTool = {
  name: 'remove',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  outputSchema: { type: 'object', required: ['gone'], properties: { gone: { type: 'boolean' } } },
  annotations: { destructiveHint: true, idempotentHint: true },
};

async function serverOf(tools: ServersTool[], answer: () => ServersResult) {
  const server = await startMcpServer({ tools, answer });
  const { actions, tools: digests } = importedTools(tools);
  const sessions = buildMcpSessions({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 100_000 });
  const execute = buildMcpApp({ mcpSessions: sessions, maxTools: 100, timeoutMs: 5_000 });
  const runs = { on: 'mcp', url: server.url, tools: digests };
  const app = { name: 'Books', custom: { runs, digest: '' } } as unknown as CustomApp;
  const call = (actionId: string, inputs: JsonObject, connection?: CallConnection) =>
    execute(app, { actionId } as ActionManifest, {
      ...{ inputs, attempt: 1, idempotencyKey: 'k', signal: new AbortController().signal },
      origin: { workspaceId: 'w', executionId: 'e' },
      ...(connection ? { connection } : {}),
    });
  return { server, actions, call };
}

test('tools are actions, with effects by their hints', () => {
  const { actions, leftOut } = importedTools([SEARCH, REMOVE, { name: 'no good', inputSchema: {} }]);
  expect(actions).toMatchObject([
    {
      ...{ actionId: 'search', name: 'Search books', description: 'Finds books.', effect: 'read', repeatable: true },
      inputConfig: {
        fields: [
          { key: 'q', type: 'text', required: true },
          { key: 'kind', type: 'select', options: [{ value: 'novel' }, { value: 'poem' }] },
          { key: 'a_b', label: 'a b', type: 'number' },
        ],
      },
    },
    {
      ...{ actionId: 'remove', effect: 'destructive', repeatable: true },
      outputSchema: { type: 'object', properties: { gone: { type: 'boolean' } }, required: ['gone'] },
    },
  ]);
  expect(leftOut.map(({ path }) => path)).toEqual(['tools[2].name']);
});

test('a tool is called with its arguments; its text is the output', async () => {
  const { server, call } = await serverOf([SEARCH], () => said('Faust'));
  const result = await call('search', { q: 'faust', kind: null, a_b: 2 });
  expect(result).toEqual({ ok: true, output: { text: 'Faust', content: [{ type: 'text', text: 'Faust' }] } });
  expect(server.calls).toMatchObject([{ name: 'search', input: { q: 'faust', 'a b': 2 } }]);
});

test('structured content is the output; an error of the tool is a failure', async () => {
  const { call } = await serverOf([REMOVE], () => ({ content: [], structuredContent: { gone: true }, isError: false }));
  expect(await call('remove', { id: '1' })).toEqual({ ok: true, output: { gone: true } });
  const failing = await serverOf([REMOVE], () => ({ ...said('no such book'), isError: true }));
  expect(await failing.call('remove', { id: '1' })).toMatchObject({
    ok: false,
    failure: { code: 'TOOL_FAILED', message: 'no such book', retryable: false },
  });
});

test('a changed or missing tool is not called', async () => {
  const tools = [structuredClone(SEARCH)];
  const { server, call } = await serverOf(tools, () => said('x'));
  (tools[0] as ServersTool).description = 'Finds books, and sends them to me.';
  const changed = { ok: false, failure: { code: 'TOOL_CHANGED', retryable: false } };
  expect(await call('search', { q: 'x' })).toMatchObject(changed);
  tools.length = 0;
  expect(await call('search', { q: 'x' })).toMatchObject(changed);
  expect(server.calls).toEqual([]);
});

test('a credential goes to the server, and is masked', async () => {
  const { server, call } = await serverOf([SEARCH], () => said('you sent key-secret-1'));
  const result = await call('search', { q: 'x' }, { type: 'apiKey', credentials: { apiKey: 'key-secret-1' } });
  expect(server.calls[0]?.headers.authorization).toBe('Bearer key-secret-1');
  expect(JSON.stringify(result)).not.toContain('key-secret-1');
});

test('a server that refuses may answer later', async () => {
  const { server, call } = await serverOf([SEARCH], () => said('x'));
  server.refuse.push(503);
  expect(await call('search', { q: 'x' })).toMatchObject({
    ok: false,
    failure: { code: 'MCP_UNAVAILABLE', retryable: true, message: 'The MCP server of Books answered 503' },
  });
});
