// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { anyPort } from '../../process/ports.ts';
import { type ApiAnswer, api } from '../setup/api/client.ts';
import { gate } from '../setup/jest/gate.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { agentHomeOn, readTurn, textIn, textOf, userMessage } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

// Turns while one part of the stack is missing, and many at once. The stored message must match what the scripted
// provider sent in the successful call.

const PATIENCE = { timeout: 90_000, interval: 200 };
const AWAY_MS = 10_000;
const TASKS = 20;
const CALLS = 100;
const CAP = 37;
/** Kills during many turns. Long form: KILLS=3. */
const KILLS = Number(process.env.KILLS ?? 1);

const { stack, home: own, database } = await ownHome();

const agentHome = () => agentHomeOn(own, database);

/** Starts another API process, and returns its URL. */
async function anotherApi(): Promise<{ url: string; kill: () => Promise<void> }> {
  const port = await anyPort();
  const part = await startPart(stack, 'api', { PORT: String(port) });
  onTestFinished(() => part.kill());
  return { url: `http://127.0.0.1:${port}`, kill: () => part.kill() };
}

test('only the API is killed with three followers: the turn continues, and followers of another API read all of it', async () => {
  const home = await agentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
  const second = await anotherApi();
  const there = { api: api(second.url, home.apiKey) };
  const place = `/api/agents/${home.agentId}/tasks/elsewhere/stream-message`;
  const followers = [await readTurn(there, 'POST', place, { body: { message: userMessage('Hi') } })];
  followers.push(await readTurn(there, 'GET', place, {}), await readTurn(there, 'GET', place, {}));
  for (const { chunks } of followers) await poll(() => textOf(chunks), PATIENCE).toBe('Hel');
  await second.kill();
  expect(await Promise.all(followers.map(({ done }) => done))).toEqual([false, false, false]);
  const again = await Promise.all([home.resume('elsewhere'), home.resume('elsewhere'), home.resume('elsewhere')]);
  goOn();
  expect(await Promise.all(again.map(({ done }) => done))).toEqual([true, true, true]);
  expect(again.map(({ chunks }) => textOf(chunks))).toEqual(['Hello', 'Hello', 'Hello']);
  expect(home.provider.requests).toHaveLength(1);
});

test('the database is away for 10 s during a model call: the call is not repeated, and its whole text is stored and sent', async () => {
  const home = await agentHome();
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo'), { waitMs: 500 }, ...say('!')]);
  const turn = await home.stream('away', { message: userMessage('Hi') });
  await poll(() => textOf(turn.chunks), PATIENCE).toBe('Hel');
  const away = stack.holdDatabaseDown(AWAY_MS);
  await poll(async () => (await home.api('GET', '/api/agents')).status, PATIENCE).toBe(503);
  goOn();
  await away;
  expect(await turn.done).toBe(true);
  expect(textOf(turn.chunks)).toBe('Hello!');
  const [, message, ...more] = await home.messages('away');
  expect([textIn(message), more]).toEqual(['Hello!', []]);
  expect(home.provider.requests).toHaveLength(1);
});

test("many turns, killed repeatedly: each message is the provider's last answer, once", async () => {
  const home = await agentHome();
  home.provider.answerBy(({ body }) => {
    const text = String(body.messages.at(-1)?.content);
    return [...text].flatMap((letter) => [{ text: letter }, { waitMs: 40 }]);
  });
  const textFor = (n: number) => `answer number ${n}, letter by letter`;
  const ids = Array.from({ length: TASKS }, (_, n) => `many-${n}`);
  await Promise.all(ids.map((id, n) => home.stream(id, { message: userMessage(textFor(n)) })));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = home.provider.requests.length;
    await stack.killMain();
    await stack.startAgain();
    await poll(() => home.provider.requests.length, PATIENCE).toBeGreaterThan(before);
  }
  for (const id of ids) await poll(async () => (await home.turn(id)).status, PATIENCE).toBe('COMPLETED');
  for (const [n, id] of ids.entries()) {
    const messages = await home.messages(id);
    expect(messages.map(textIn)).toEqual([textFor(n), textFor(n)]);
    const sent = home.provider.requests.filter(({ body }) => body.messages.at(-1)?.content === textFor(n));
    expect(sent.at(-1)?.sent).toBe(textFor(n));
  }
}, 300_000);

test('of a hundred messages at once to three processes of the API exactly the cap of the grant is accepted', async () => {
  const home = await agentHome();
  const others = await Promise.all([anotherApi(), anotherApi()]);
  const urls = [stack.url, ...others.map(({ url }) => url)];
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
  const unexpected = answers.filter(({ status }) => status !== 200 && status !== 429);
  expect(unexpected.map(({ status, body }) => ({ status, body }))).toEqual([]);
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
