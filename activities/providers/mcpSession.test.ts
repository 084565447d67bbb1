import { expect, test } from '@jest/globals';
import { said, startMcpServer, textTool } from '../../test/setup/providers/mcpServer.ts';
import { buildMcpSessions } from './mcpSession.ts';

const settings = { allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 100_000 };
const limits = (timeoutMs = 5_000) => ({ timeoutMs, signal: new AbortController().signal });
const server = () =>
  startMcpServer({
    tools: [textTool('a'), textTool('b'), textTool('c')],
    pageSize: 1,
    answer: () => said('x'.repeat(9_000)),
  });

test('a list ends with as many tools as are wanted', async () => {
  const { url } = await server();
  const sessions = buildMcpSessions(settings);
  const listed = await sessions({ url, workspaceId: 'w', headers: {} }, limits(), (session) => session.listTools(2));
  expect(listed.tools.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a private address is not called unless the operator names it', async () => {
  const { url, lists } = await server();
  const sessions = buildMcpSessions({ ...settings, allowedPrivateHosts: [] });
  await expect(
    sessions({ url, workspaceId: 'w', headers: {} }, limits(), (session) => session.listTools(1)),
  ).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^127.0.0.1 is not a public host; .*HTTP_ALLOWED_PRIVATE_HOSTS$/) },
  });
  expect(lists).toBe(0);
});

test('an answer that is too large is cut off, and fails', async () => {
  const { url } = await server();
  const sessions = buildMcpSessions({ ...settings, maxAnswerBytes: 2_000 });
  const called = sessions({ url, workspaceId: 'w', headers: {} }, limits(2_000), (session) =>
    session.callTool('a', {}),
  );
  await expect(called).rejects.toThrow();
});

test('a silent server is dropped at the time limit', async () => {
  const { url } = await startMcpServer({ tools: [], answer: () => new Promise(() => undefined) });
  const called = buildMcpSessions(settings)({ url, workspaceId: 'w', headers: {} }, limits(300), (session) =>
    session.callTool('a', {}),
  );
  await expect(called).rejects.toThrow();
});
