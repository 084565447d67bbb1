import type { ServersTool } from '../domain/agent/mcpTool.ts';

const MAX_TOOLS = 1_000;

/** Returns the tools of an MCP server, and its title. The author's machine calls it, so no guard is needed. */
export async function toolsOf(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<{ title: string; tools: ServersTool[] }> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client({ name: 'perdure', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as never, { signal });
  try {
    const tools: ServersTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
      tools.push(...(page.tools as ServersTool[]));
      cursor = page.tools.length === 0 ? undefined : page.nextCursor;
    } while (cursor !== undefined && tools.length < MAX_TOOLS);
    const { title, name } = client.getServerVersion() ?? { name: url };
    return { title: title ?? name, tools };
  } finally {
    await client.close();
  }
}
