import { describe, expect, test } from '@jest/globals';
import type { UIMessage } from 'ai';
import { foundNames, searchTools } from './discovery.ts';

const tools = [
  { name: 'http_request', description: 'HTTP: Sends a request and reads what comes back.' },
  { name: 'text_template', description: 'Text: Fills a template.' },
  { name: 'core_sort', description: 'Core: Sorts a list by fields.' },
];

describe('searchTools', () => {
  test.each([
    ['Send a request', ['http_request']],
    ['SORT list', ['core_sort']],
    ['fields of a request', ['http_request', 'core_sort']],
    ['template', ['text_template']],
    ['nothing-like-it', []],
    ['', []],
    ['   …  ', []],
  ])('%j', (query, names) => {
    expect(searchTools(query, tools, 10).map(({ name }) => name)).toEqual(names);
  });

  test('returns at most the limit', () => {
    expect(searchTools('core text http', tools, 2)).toHaveLength(2);
  });
});

describe('foundNames', () => {
  const message = (parts: object[]): Pick<UIMessage, 'parts'> => ({ parts: parts as UIMessage['parts'] });
  const call = (toolName: string, output: unknown) => ({
    ...{ type: `tool-${toolName}`, toolCallId: 'c', state: 'output-available', input: {}, output },
  });

  test('come only from searches, in any message', () => {
    const found = { tools: [{ name: 'http_request', description: 'd' }] };
    expect([
      ...foundNames([
        message([{ type: 'text', text: 'hello' }, call('find_actions', found)]),
        message([call('find_mcp_tools', { tools: [{ name: 'mcp_shop_echo' }] }), call('http_request', found)]),
      ]),
    ]).toEqual(['http_request', 'mcp_shop_echo']);
  });

  test.each([null, 'text', { tools: 'none' }, { tools: [1, { name: 2 }] }])('%j holds none', (output) => {
    expect(foundNames([message([call('find_actions', output)])]).size).toBe(0);
  });
});
