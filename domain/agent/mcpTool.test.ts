import { expect, test } from '@jest/globals';
import { listedTools, mcpOutput } from './mcpTool.ts';

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const LIMITS = { maxTools: 2, maxToolBytes: 400 };

test('tool names begin with their server; a digest replaces the characters that providers refuse', () => {
  const long = 'x'.repeat(80);
  const { tools } = listedTools('shop', [tool('orders.find'), tool(long)], LIMITS);
  expect(tools.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^mcp_shop_orders_find_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp_shop_x{46}_[0-9a-f]{8}$/),
  ]);
  expect(tools.map(({ name }) => name.length <= 64)).toEqual([true, true]);
  expect(tools[0]?.tool).toBe('orders.find');
});

test('tools beyond the limits or without an object schema are left out and counted', () => {
  const all = [
    tool('large', { description: 'x'.repeat(400) }),
    tool('wrong', { inputSchema: 'x' }),
    tool('a'),
    tool('b'),
    tool('c'),
  ];
  const { tools, leftOut } = listedTools('s', all, LIMITS);
  expect([tools.map(({ tool: name }) => name), leftOut]).toEqual([['a', 'b'], 3]);
});

test('the server declares which tools may be repeated', () => {
  const hints = [{}, { readOnlyHint: true }, { idempotentHint: true }];
  const { tools } = listedTools(
    's',
    hints.map((annotations, index) => tool(`t${index}`, { annotations })),
    { ...LIMITS, maxTools: 3 },
  );
  expect(tools.map(({ isRepeatable, isReadOnly }) => [isRepeatable, isReadOnly])).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ]);
});

test('results: structured content before texts, texts joined, other content by its kind without bytes', () => {
  const text = (value: string) => ({ type: 'text', text: value });
  expect(mcpOutput({ content: [text('a')], structuredContent: { n: 1 } })).toEqual({ n: 1 });
  expect(mcpOutput({ content: [text('a'), text('b')] })).toBe('a\nb');
  expect(mcpOutput({})).toBe('');
  const resource = { uri: 'file:///a', blob: 'AAAA' };
  expect(
    mcpOutput({
      content: [text('a'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'resource', resource }],
    }),
  ).toEqual([
    { type: 'text', text: 'a' },
    { type: 'image', mimeType: 'image/png', bytes: 3 },
    { type: 'resource', resource: { uri: 'file:///a', bytes: 3 } },
  ]);
});
