import { describe, expect, test } from '@jest/globals';
import { type NamedTool, toolNameClashes } from './toolNameClashes.ts';
import { actionToolName, agentToolNames, FIND_ENTITIES, workflowToolNames } from './toolNames.ts';

const action = (appId: string, actionId: string): NamedTool => ({
  name: actionToolName({ appId, actionId }),
  path: 'tools[0]',
  what: `the action ${appId}.${actionId}`,
});
const slugged = (kind: 'workflow' | 'agent', slug: string): NamedTool => {
  const names = (kind === 'workflow' ? workflowToolNames : agentToolNames)([{ id: 'i', slug }]);
  return { name: names.get('i') ?? '', path: `${kind}Ids[0]`, what: `the ${kind} ${slug}` };
};
const ofSetting = (name: string): NamedTool => ({ name, path: '', what: 'a setting' });
const server = (name: string, index = 0) => ({ name, path: `mcpServers[${index}].name` });

describe('toolNameClashes', () => {
  test.each<[string, NamedTool[], { name: string; path: string }[], { path: string; message: RegExp }[]]>([
    [
      'a sub-agent and an action',
      [action('agent', 'run'), slugged('agent', 'run')],
      [],
      [{ path: 'agentIds[0]', message: /named agent_run, like that of the action agent\.run/ }],
    ],
    [
      'a workflow and an action',
      [action('workflow', 'orders'), slugged('workflow', 'orders')],
      [],
      [{ path: 'workflowIds[0]', message: /workflow_orders/ }],
    ],
    [
      'an action and a tool of a setting',
      [ofSetting(FIND_ENTITIES), action('find', 'entities')],
      [],
      [{ path: 'tools[0]', message: /find_entities, like that of a setting/ }],
    ],
    [
      'two actions whose names differ in signs that no tool may have',
      [action('a.b', 'c'), action('a', 'b.c')],
      [],
      [{ path: 'tools[0]', message: /a_b_c/ }],
    ],
    [
      'two MCP servers, one of which begins as the other',
      [],
      [server('files'), server('files_old', 1)],
      [{ path: 'mcpServers[1].name', message: /mcp_files_old_…, and those of the MCP server "files" may be too/ }],
    ],
    [
      'an MCP server and an action',
      [action('mcp', 'files_read')],
      [server('files')],
      [{ path: 'mcpServers[0].name', message: /the action mcp\.files_read/ }],
    ],
  ])('finds %s', (_, tools, servers, expected) => {
    expect(toolNameClashes(tools, servers)).toEqual(
      expected.map(({ path, message }) => ({ path, message: expect.stringMatching(message) })),
    );
  });

  test('accepts different names', () => {
    const tools = [action('agent', 'run'), slugged('agent', 'runner'), slugged('workflow', 'run'), ofSetting('plan')];
    expect(toolNameClashes(tools, [server('files'), server('filesystem', 1)])).toEqual([]);
  });
});
