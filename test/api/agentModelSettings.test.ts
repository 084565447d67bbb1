import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';

/** Each setting with its member in the request; providers other than OpenAI call the limit max_tokens. */
const SENT_AS = {
  temperature: ['temperature', 0],
  topP: ['top_p', 0.5],
  frequencyPenalty: ['frequency_penalty', -1.5],
  presencePenalty: ['presence_penalty', 2],
  seed: ['seed', 0],
  maxOutputTokens: ['max_tokens', 77],
} as const;

async function upserted(home: AgentHome, slug: string, settings: object): Promise<string> {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { slug, instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId, ...settings },
  });
  expect(status).toBe(200);
  return body.id;
}

async function askedFor(home: AgentHome, agentId: string) {
  home.provider.requests.splice(0);
  home.provider.answer(say('Hello'));
  const body = { message: userMessage('Hi') };
  const sent = await home.api('POST', `/api/agents/${agentId}/tasks/${randomUUID()}/message`, { body });
  expect(sent.status).toBe(200);
  expect(home.provider.requests).toHaveLength(1);
  return home.provider.requests[0]?.body ?? {};
}

test('the request contains the settings of the call unchanged, including zero, and nothing else', async () => {
  const home = await makeAgentHome();
  const bare = ['messages', 'model', 'stream', 'stream_options'];
  const plain = await askedFor(home, await upserted(home, 'plain', {}));
  expect(Object.keys(plain).sort()).toEqual(bare);

  const all = Object.fromEntries(Object.entries(SENT_AS).map(([setting, [, value]]) => [setting, value]));
  const full = await askedFor(home, await upserted(home, 'full', all));
  expect(full).toMatchObject(Object.fromEntries(Object.values(SENT_AS)));
  expect(Object.keys(full).sort()).toEqual([...bare, ...Object.values(SENT_AS).map(([member]) => member)].sort());

  const nulls = Object.fromEntries(Object.keys(SENT_AS).map((setting) => [setting, null]));
  const none = await askedFor(home, await upserted(home, 'full', nulls));
  expect(Object.keys(none).sort()).toEqual(bare);
});

test.each(Object.entries(SENT_AS))('%s alone', async (setting, [member, value]) => {
  const home = await makeAgentHome();
  const asked = await askedFor(home, await upserted(home, 'one', { [setting]: value }));
  const members = Object.values(SENT_AS).map(([name]) => name as string);
  expect(Object.entries(asked).filter(([name]) => members.includes(name))).toEqual([[member, value]]);
});
