import { expect, test } from '@jest/globals';
import { AGENT_DEFAULTS, agentDefinition, definitionText } from './definition.ts';

const GIVEN = { instructions: 'Help.', model: 'small' };

test('an absent setting has its default', () => {
  expect(agentDefinition(GIVEN)).toEqual({ ...AGENT_DEFAULTS, instructions: 'Help.', selectedModelId: 'small' });
});

test('ids are a set: their order, their case and how often they are named say nothing', () => {
  const [first, second] = ['0193aaaa-0000-7000-8000-00000000000A', '0193bbbb-0000-7000-8000-00000000000b'];
  const one = agentDefinition({ ...GIVEN, workflowIds: [first, second, first] });
  const other = agentDefinition({ ...GIVEN, workflowIds: [second, first.toLowerCase()] });
  expect(definitionText(one)).toBe(definitionText(other));
  expect(one.workflowIds).toEqual([first.toLowerCase(), second]);
});

test('the order of forced tools and of suggested prompts is preserved', () => {
  const { forcedTools, suggestedPrompts } = agentDefinition({
    ...GIVEN,
    forcedTools: ['b', 'a'],
    suggestedPrompts: ['z', 'y'],
  });
  expect({ forcedTools, suggestedPrompts }).toEqual({ forcedTools: ['b', 'a'], suggestedPrompts: ['z', 'y'] });
});

test('the long form of a tool or a server equals its short form', () => {
  const short = agentDefinition({
    ...GIVEN,
    tools: [{ appId: 'http', actionId: 'request' }],
    mcpServers: [{ name: 's', url: 'https://mcp.example.com/' }],
  });
  const full = agentDefinition({
    ...GIVEN,
    tools: [{ inputs: {}, connectionId: null, appId: 'http', actionId: 'request' }],
    mcpServers: [{ policy: 'auto', connectionId: null, name: 's', url: 'https://mcp.example.com/' }],
  });
  expect(definitionText(full)).toBe(definitionText(short));
  // A policy that the author chose is kept, whatever the effect of the action.
  const chosen = agentDefinition({ ...GIVEN, tools: [{ appId: 'http', actionId: 'request', policy: 'auto' }] });
  expect(definitionText(chosen)).not.toBe(definitionText(agentDefinition({ ...GIVEN, tools: short.tools })));
});
