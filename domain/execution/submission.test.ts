import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PERMISSIONS, type Permission, type Role } from '../access/permission.ts';
import { type AnswerRule, needsCredential, refusalOf, type Submitter } from './submission.ts';

const RULE: AnswerRule = { submitters: 'anyone', required: 1, excludeStarter: false };
const RUN: Permission = 'executions:run';

function someone(type: 'user' | 'apiKey', more: Partial<Submitter> = {}): Submitter {
  const by = { type, id: 'id', name: 'Ada' };
  return { by, person: 'ada', email: 'ada@x.example', role: 'builder', permissions: new Set([RUN]), ...more };
}

const weak = { permissions: new Set<Permission>(['projects:read', 'agents:use']) };
const MISSING = 'The permission executions:run is missing';

test('only anyone and link, with a single answer, accept anonymous answers', () => {
  expect(needsCredential(RULE)).toBe(false);
  expect(needsCredential({ ...RULE, submitters: 'link' })).toBe(false);
  for (const more of [
    { submitters: 'members' },
    { submitters: ['owner'] },
    { required: 2 },
    { excludeStarter: true },
  ]) {
    expect(needsCredential({ ...RULE, ...more } as AnswerRule)).toBe(true);
  }
});

test('whom a question does not ask for, it takes whatever their permissions', () => {
  expect(refusalOf(RULE, someone('apiKey', weak), ['ada'])).toBeUndefined();
});

describe.each<Partial<AnswerRule>>([{ submitters: 'members' }, { required: 2 }, { excludeStarter: true }])(
  '%j',
  (more) => {
    test.each(['user', 'apiKey'] as const)('a %s needs executions:run', (type) => {
      expect(refusalOf({ ...RULE, ...more }, someone(type), [])).toBeUndefined();
      expect(refusalOf({ ...RULE, ...more }, someone(type, weak), [])).toBe(MISSING);
    });
  },
);

test('a list names people by address and role; a key is as good as its maker, if it may run executions', () => {
  const listed = (submitters: string[], one: Submitter) => refusalOf({ ...RULE, submitters }, one, []);
  const none = 'You are not among those who may answer this question';
  for (const submitters of [['ada@x.example'], ['builder'], ['bob@x.example', 'builder']]) {
    expect(listed(submitters, someone('user', weak))).toBeUndefined();
    expect(listed(submitters, someone('apiKey'))).toBeUndefined();
    expect(listed(submitters, someone('apiKey', weak))).toBe(MISSING);
    expect(listed(submitters, someone('user', { email: 'eve@x.example', role: 'consumer' }))).toBe(none);
    expect(listed(submitters, someone('apiKey', { email: null, role: null }))).toBe(none);
  }
});

test('the person who started it is refused where the question excludes them, by whatever credential', () => {
  const rule = { ...RULE, excludeStarter: true };
  expect(refusalOf(rule, someone('apiKey'), ['ada', 'bob'])).toContain('You have started this execution');
  expect(refusalOf({ ...rule, submitters: ['builder'] }, someone('user'), ['ada'])).toContain('somebody else');
  expect(refusalOf(rule, someone('user'), ['bob'])).toBeUndefined();
  expect(refusalOf(RULE, someone('user'), ['ada'])).toBeUndefined();
});

test('more permissions never take an answer away, and excluding the starter never gives one', () => {
  const submitters = fc.oneof(
    fc.constantFrom<AnswerRule['submitters']>('anyone', 'link', 'members'),
    fc.subarray(['ada@x.example', 'bob@x.example', 'owner', 'consumer'], { minLength: 1 }),
  );
  const rule = fc.record({ submitters, required: fc.integer({ min: 1, max: 3 }), excludeStarter: fc.boolean() });
  const who = fc.record({
    type: fc.constantFrom('user' as const, 'apiKey' as const),
    email: fc.constantFrom('ada@x.example', 'eve@x.example', null),
    role: fc.constantFrom<Role | null>('owner', 'consumer', null),
    permissions: fc.subarray([...PERMISSIONS]),
    starters: fc.subarray(['ada', 'bob']),
  });
  fc.assert(
    fc.property(rule, who, (of, { type, email, role, permissions, starters }) => {
      const one = someone(type, { email, role, permissions: new Set(permissions) });
      if (refusalOf(of, one, starters) !== undefined) return;
      expect(refusalOf(of, { ...one, permissions: new Set(PERMISSIONS) }, starters)).toBeUndefined();
      if (of.excludeStarter) expect(refusalOf({ ...of, excludeStarter: false }, one, starters)).toBeUndefined();
    }),
  );
});
