import { expect, test } from '@jest/globals';
import type { Json } from '../json.ts';
import { context } from './graphs.fixture.ts';
import { MAXIMUM_SUBMITTERS, mayAskAnyone, readSubmitters } from './submitters.ts';
import { validateDefinition } from './validate.ts';

const ROLES = /a role \(owner, builder,/;

function problemsOf(inputs: { [key: string]: Json }) {
  const node = { id: 'a', type: 'input', inputs: { fields: [], ...inputs } };
  return validateDefinition({ nodes: [node], edges: [] }, context).problems;
}

test.each<Json>([
  'anyone',
  'link',
  'members',
  null,
  ['Ada@X.example', 'builder'],
  '{{ trigger.who }}',
  ['{{ trigger.boss }}', 'owner', '{{ trigger.name }}@x.example'],
])('a definition may have the submitters %j', (submitters) => {
  expect(problemsOf({ submitters })).toEqual([]);
});

test.each<[Json, string, RegExp]>([
  ['everybody', '', /^expected anyone, link, members, or a list of e-mail addresses and roles/],
  ['ada@x.example', '', /^expected anyone, link, members, or a list/],
  ['{{ trigger.a }}{{ trigger.b }}', '', /^expected anyone/],
  [true, '', /^expected anyone/],
  [[], '', /^expected at least one/],
  [['builder', 'boss'], '[1]', ROLES],
  [['members'], '[0]', ROLES],
  [[7], '[0]', ROLES],
  [Array.from({ length: MAXIMUM_SUBMITTERS + 1 }, () => 'owner'), '', /^101 .*at most 100/],
])('and not %j', (submitters, place, message) => {
  expect(problemsOf({ submitters })).toEqual([
    { path: `nodes[0].inputs.submitters${place}`, nodeId: 'a', message: expect.stringMatching(message) },
  ]);
});

test('excludeStarter is true, false or an expression', () => {
  for (const excludeStarter of [true, false, null, '{{ trigger.strict }}']) {
    expect(problemsOf({ excludeStarter })).toEqual([]);
  }
  expect(problemsOf({ excludeStarter: 'yes' })).toMatchObject([{ path: 'nodes[0].inputs.excludeStarter' }]);
});

test('when a question is asked, addresses are normalized, and invalid rules are problems', () => {
  expect(readSubmitters(undefined)).toEqual({ submitters: 'anyone', problems: [] });
  expect(readSubmitters('link')).toMatchObject({ submitters: 'link' });
  expect(readSubmitters([' Ada@X.example ', 'builder'])).toMatchObject({ submitters: ['ada@x.example', 'builder'] });
  for (const value of [null, 'ada@x.example', '', [], [[]], ['{{ x }}'], {}, 1]) {
    expect(readSubmitters(value)).toMatchObject({ problems: [{ path: expect.stringMatching(/^submitters/) }] });
    expect(readSubmitters(value).submitters).toBeUndefined();
  }
});

test('a node may ask anyone unless it restricts its submitters', () => {
  const asks = (inputs?: { [key: string]: Json }, type: 'input' | 'delay' = 'input') =>
    mayAskAnyone({ id: 'a', type, ...(inputs ? { inputs } : {}) });
  for (const submitters of ['anyone', '{{ trigger.who }}', null]) expect(asks({ submitters })).toBe(true);
  for (const submitters of ['link', 'members', ['owner']]) expect(asks({ submitters })).toBe(false);
  expect([asks(), asks({}, 'delay')]).toEqual([true, false]);
});
