// test: long
import { afterAll, expect, test } from '@jest/globals';
import { startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { startStack } from '../setup/stack/ownStack.ts';
import { homeOn, stepOf } from '../setup/workspace/home.ts';

// The process dies after a refresh token was rotated, before it stores the new one.

const stack = await startStack({ environment: { OAUTH2_TIMEOUT_MS: '2000', OAUTH2_REFRESH_LEASE_MS: '3000' } });
afterAll(() => stack.dispose());
const home = homeOn(stack);

test("a kill between the provider's answer and the store: the step waits, survives the next kill, and continues", async () => {
  const redirectUri = `${stack.url.replace(/\/$/, '')}/api/connections/oauth2/callback`;
  const provider = await startOAuthProvider({ redirectUri });
  const authorize = async (body: object) => {
    const begun = await home.api('POST', '/api/workflow-apps/http/connections/oauth2/authorize', { body });
    const back = await provider.authorize(begun.body.authorizationUrl);
    const answer = await provider.comeBack(back);
    return new URL(answer.headers.get('location') ?? '').searchParams.get('connected');
  };
  const id = String(await authorize({ name: 'Bank', credentials: provider.credentials }));
  const node = {
    id: 'call',
    type: 'action' as const,
    name: 'Call',
    appId: 'http',
    actionId: 'request',
    connectionId: id,
  };
  const workflowId = await home.deploy({ nodes: [{ ...node, inputs: { url: `${provider.issuer}/api/me` } }] });

  // The API rejects the access token, and the process dies after the provider has rotated the refresh token.
  provider.revokeAccess();
  let hasRotated = () => {};
  const rotated = new Promise<void>((resolve) => {
    hasRotated = resolve;
  });
  provider.hold = async (grant) => {
    if (grant !== 'refresh_token') return;
    hasRotated();
    await new Promise(() => undefined);
  };
  const executionId = await home.execute(workflowId);
  await rotated;
  await stack.killMain();
  provider.hold = undefined;
  await stack.startAgain();

  // The old refresh token was already used, so only a person can get new ones.
  const waiting = await home.until(executionId, ({ status }) => status === 'WAITING');
  expect(waiting.statusMessage).toContain('"Bank"');
  expect(provider.asked.refresh_token).toBe(2);
  await stack.killMain();
  await stack.startAgain();
  expect(await authorize({ connectionToRenew: id })).toBe(id);
  const ended = await home.ended(executionId);
  expect(ended.status).toBe('COMPLETED');
  expect(stepOf(ended, 'call')).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  for (const token of provider.given) expect(stack.output()).not.toContain(token);
});
