import { expect, test } from '@jest/globals';
import { type AgentWhole, draftOf, settingOf } from './agentDraft.ts';

const AGENT = {
  id: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
  name: 'Support',
  slug: 'support',
  FK_aiConnectionId: null,
  description: null,
  instructions: 'Help.',
  selectedModelId: 'm',
  managedByCode: false,
  temperature: 0.2,
  topP: null,
  maxRetries: 2,
  contextTokens: 5_000,
  tools: [{ appId: 'http', actionId: 'request', connectionId: null, inputs: {}, policy: 'approve' }],
  knowledge: [{ id: 'k', name: 'Handbook' }],
  workflows: [],
} as unknown as AgentWhole;

test('an agent as the upsert that stores it: ids in place of names, and nothing that is at its default', () => {
  expect(draftOf(AGENT)).toEqual({
    slug: 'support',
    name: 'Support',
    description: null,
    instructions: 'Help.',
    model: 'm',
    temperature: 0.2,
    contextTokens: 5_000,
    tools: AGENT.tools,
    knowledgeIds: ['k'],
  });
});

test('a setting that the draft leaves out has its default', () => {
  const draft = draftOf(AGENT);
  expect([settingOf(draft, 'contextTokens'), settingOf(draft, 'maxRetries'), settingOf(draft, 'topP')]).toEqual([
    5_000,
    2,
    null,
  ]);
});
