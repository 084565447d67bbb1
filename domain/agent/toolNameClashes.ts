import type { ProblemDetail } from '../problem.ts';
import { mcpToolPrefix } from './toolNames.ts';

export interface NamedTool {
  name: string;
  /** Empty if the setting has no place of its own. */
  path: string;
  what: string;
}

/** Reports tools with equal names at the place of the later one, and MCP servers whose tools might collide. */
export function toolNameClashes(
  tools: readonly NamedTool[],
  servers: readonly { name: string; path: string }[],
): ProblemDetail[] {
  const first = new Map<string, NamedTool>();
  const clashes: ProblemDetail[] = [];
  for (const tool of tools) {
    const other = first.get(tool.name);
    if (other) {
      clashes.push({ path: tool.path, message: `its tool would be named ${tool.name}, like that of ${other.what}` });
    } else first.set(tool.name, tool);
  }
  for (const [index, { name, path }] of servers.entries()) {
    const prefix = mcpToolPrefix(name);
    const server = servers.slice(0, index).find((other) => {
      const others = mcpToolPrefix(other.name);
      return others !== prefix && (others.startsWith(prefix) || prefix.startsWith(others));
    });
    const tool = tools.find((each) => each.name.startsWith(prefix));
    const what = server ? `the MCP server ${JSON.stringify(server.name)}` : tool?.what;
    if (what !== undefined) {
      clashes.push({ path, message: `its tools are named ${prefix}…, and those of ${what} may be too` });
    }
  }
  return clashes;
}
