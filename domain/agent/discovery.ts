import type { UIMessage } from 'ai';
import type { ActionManifest, Catalogue } from '../app/manifest.ts';
import { isJsonObject, type Json } from '../json.ts';
import { isOffloaded } from './offloadedResult.ts';
import { FIND_ACTIONS, FIND_MCP_TOOLS, RESULT_TOOL, toolNameOf } from './toolNames.ts';

export interface FoundTool {
  name: string;
  description: string;
}

/** Other agents can be called only if subAgentIds lists them. */
const AGENT_APP = 'agent';

export function discoverable(catalogue: Catalogue): { appId: string; action: ActionManifest }[] {
  return [...catalogue.values()].flatMap(({ appId, actions }) =>
    appId === AGENT_APP ? [] : actions.map((action) => ({ appId, action })),
  );
}

/** Returns the tools named by search results in these messages, so that every worker offers the same ones. */
export function foundNames(messages: readonly Pick<UIMessage, 'parts'>[]): ReadonlySet<string> {
  return new Set(messages.flatMap(({ parts }) => parts.flatMap(namesIn)));
}

function namesIn(part: UIMessage['parts'][number]): string[] {
  const name = toolNameOf(part);
  if (name !== undefined && 'output' in part && isOffloaded(part.output)) return [RESULT_TOOL];
  if ((name !== FIND_ACTIONS && name !== FIND_MCP_TOOLS) || !('output' in part)) return [];
  const output = part.output as Json | undefined;
  const tools = output !== undefined && isJsonObject(output) ? output.tools : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => (isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : []));
}

/** A match in the name counts this many times a match in the description. */
const NAME_WEIGHT = 3;

export function searchTools(query: string, tools: readonly FoundTool[], limit: number): FoundTool[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
  const scored = tools.map(({ name, description }) => {
    const [inName, inText] = [name.toLowerCase(), description.toLowerCase()];
    const score = words.reduce(
      (sum, word) => sum + (inName.includes(word) ? NAME_WEIGHT : inText.includes(word) ? 1 : 0),
      0,
    );
    return { name, description, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name, description }) => ({ name, description }));
}
