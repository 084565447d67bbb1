import { expect, test } from '@jest/globals';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Api, api } from '../setup/api/client.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

// submitInput is public (everyDoor.test.ts), but its questions are not.

const QUESTIONS: Readonly<Record<string, JsonObject>> = {
  anyone: { submitters: 'anyone' },
  link: { submitters: 'link' },
  members: { submitters: 'members' },
  owner: { submitters: ['owner'] },
  consumer: { submitters: ['consumer'] },
  two: { approvals: 2 },
  other: { excludeStarter: true },
};

const CALLERS: Readonly<Record<string, { caller: (home: Home) => Promise<Api>; answers: readonly string[] }>> = {
  owner: {
    caller: async (home) => (await newMember(home, 'owner')).call,
    answers: ['anyone', 'members', 'owner', 'two', 'other'],
  },
  builder: {
    caller: async (home) => (await newMember(home, 'builder')).call,
    answers: ['anyone', 'members', 'two', 'other'],
  },
  viewer: { caller: async (home) => (await newMember(home, 'viewer')).call, answers: ['anyone'] },
  consumer: { caller: async (home) => (await newMember(home, 'consumer')).call, answers: ['anyone', 'consumer'] },
  'a key that may all': {
    caller: async (home) => (await keyOf(home, ...PERMISSIONS)).call,
    answers: ['anyone', 'members', 'two', 'other'],
  },
  'a key that may all but run': {
    caller: async (home) => (await keyOf(home, ...PERMISSIONS.filter((each) => each !== 'executions:run'))).call,
    answers: ['anyone'],
  },
  'the key that started it': { caller: async (home) => home.api, answers: ['anyone', 'members', 'two'] },
  nobody: { caller: async (home) => api(home.url), answers: ['anyone'] },
};

test.each(Object.keys(CALLERS))('%s answers the questions that are for them, and no other', async (name) => {
  const { caller, answers } = CALLERS[name] as (typeof CALLERS)[string];
  const home = await makeHome();
  const call = await caller(home);
  const nodes = Object.entries(QUESTIONS).map(([id, inputs]) => question(id, inputs));
  const executionId = await home.execute(await home.deploy({ nodes }));
  await home.until(executionId, ({ pendingInput }) => pendingInput?.length === nodes.length);
  const answered: string[] = [];
  for (const { id } of nodes) {
    const { status } = await home.submit(executionId, id, { answer: 'x' }, undefined, call);
    if (status === 200) answered.push(id);
    else expect([id, status]).toEqual([id, id === 'link' ? 404 : name === 'nobody' ? 401 : 403]);
  }
  expect(answered).toEqual(answers);
});
