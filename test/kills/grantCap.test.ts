// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import getPort from 'get-port';
import { type ApiAnswer, api } from '../setup/api/client.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { agentHomeOn, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

const CALLS = 100;
const CAP = 37;

const { stack, home: own, database } = await ownHome();

async function another(): Promise<string> {
  const port = await getPort({ host: '127.0.0.1' });
  const part = await startPart(stack, 'api', { PORT: String(port) });
  onTestFinished(() => part.kill());
  return `http://127.0.0.1:${port}`;
}

test('of a hundred messages at once to three processes of the API exactly the cap of the grant is accepted', async () => {
  const home = await agentHomeOn(own, database);
  const urls = [stack.url, ...(await Promise.all([another(), another()]))];
  const user = await keyOf(home, 'agents:use');
  const grantId = await grant(home, home.agentId, { apiKeyId: user.id }, { hourlyMessageCap: CAP });
  home.provider.answerBy(() => say('Yes'));
  const byProcess = urls.map((url) => api(url, user.key));
  const send = (call: (typeof byProcess)[number] | undefined): Promise<ApiAnswer> => {
    if (!call) throw new Error('no process of that number');
    const body = { message: userMessage('Hi', randomUUID()) };
    return call('POST', `/api/agents/${home.agentId}/tasks/${randomUUID()}/message`, { body });
  };
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, index) => send(byProcess[index % urls.length])));
  const others = answers.filter(({ status }) => status !== 200 && status !== 429);
  expect(others.map(({ status, body }) => ({ status, body }))).toEqual([]);
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([accepted.length, refused.length]).toEqual([CAP, CALLS - CAP]);
  for (const { body, headers } of refused) {
    expect(body.code).toBe('RATE_LIMITED');
    const seconds = Number(headers.get('retry-after'));
    expect(seconds > 3_000 && seconds <= 3_600).toBe(true);
  }
  expect(await database.grantMessage.count({ where: { grantId } })).toBe(CAP);
  expect(await database.task.count({ where: { agentId: home.agentId } })).toBe(CAP);
  expect(home.provider.requests).toHaveLength(CAP);
  for (const call of byProcess) expect((await send(call)).status).toBe(429);
});
