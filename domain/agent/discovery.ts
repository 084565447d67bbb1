import type { UIMessage } from 'ai';
import type { ActionManifest, Catalogue } from '../app/manifest.ts';
import { isJsonObject, type Json } from '../json.ts';
import { isOffloaded } from './offloadedResult.ts';
import { FIND_ACTIONS, FIND_MCP_TOOLS, RESULT_TOOL, toolNameOf } from './toolNames.ts';

/** A tool as a search returns it: the model calls it by its name from the next step on. */
export interface FoundTool {
  name: string;
  description: string;
}

/** Other agents are named in subAgentIds alone. */
const AGENT_APP = 'agent';

/** The actions that an agent may find by itself, connections aside. */
export function discoverable(catalogue: Catalogue): { appId: string; action: ActionManifest }[] {
  return [...catalogue.values()].flatMap(({ appId, actions }) =>
    appId === AGENT_APP ? [] : actions.map((action) => ({ appId, action })),
  );
}

/**
 * Names of tools in the search results of these messages, so that another worker finds the same ones; where a large
 * result was stored outside them, the tool that reads it too.
 */
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

/** How much more a word in the name counts than one in the description. */
const NAME_WEIGHT = 3;

/** At most `limit` tools that contain words of the query, most matches first. */
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
