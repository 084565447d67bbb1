import { expect, test } from '@jest/globals';
import type { InputConfig } from '../app/manifest.ts';
import { checkInputs } from './actionInputs.ts';
import { idOrSlug } from './idOrSlug.ts';

const field = (key: string, required = false) => ({ key, label: key, type: 'text' as const, required });
const agent: InputConfig = {
  fields: [field('agentId'), field('slug'), field('message', true)],
  refersTo: { agentId: { kind: 'agent', by: 'id' }, slug: { kind: 'agent', by: 'slug' } },
};

test('an action that takes a thing by its id or its slug wants one of both', () => {
  expect(idOrSlug(agent)).toEqual(['agentId', 'slug']);
  const said = (inputs: object) => {
    const problems: string[] = [];
    const whole = { message: 'Hi', ...inputs };
    checkInputs(whole, { inputConfig: agent }, 'inputs', (path, message) => problems.push(`${path}: ${message}`));
    return problems;
  };
  for (const inputs of [{ slug: 'desk' }, { agentId: '{{ trigger.agent }}' }, { slug: 'desk', agentId: '' }]) {
    expect(said(inputs)).toEqual([]);
  }
  expect(said({ slug: null })).toEqual(['inputs: expected agentId or slug, got none']);
});

test('an id alone, one that is needed by itself, and a slug of something else leave no choice', () => {
  const other = { agentId: { kind: 'agent', by: 'id' }, slug: { kind: 'queue', by: 'slug' } } as const;
  const needed = { ...agent, fields: [field('agentId', true), field('slug')] };
  const all: InputConfig[] = [{ fields: agent.fields }, { ...agent, refersTo: other }, needed];
  expect(all.map(idOrSlug)).toEqual([undefined, undefined, undefined]);
});
