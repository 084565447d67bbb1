import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { MAX_NAME_LENGTH, mcpToolPrefix } from './toolNames.ts';

/** The maximum number of calls of a repeatable tool. */
export const MAX_MCP_TRIES = 3;

/** A tool as its server describes it. The description is untrusted. */
export interface ServersTool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
  title?: string | undefined;
  outputSchema?: unknown;
  annotations?:
    | {
        title?: string | undefined;
        readOnlyHint?: boolean | undefined;
        destructiveHint?: boolean | undefined;
        idempotentHint?: boolean | undefined;
      }
    | undefined;
}

export interface ListedTool {
  name: string;
  /** The server's name here, and the tool's name on the server. */
  server: string;
  tool: string;
  description: string;
  inputSchema: JsonObject;
  /** The server declares it read-only or idempotent. */
  isRepeatable: boolean;
  isReadOnly: boolean;
}

export interface ListLimits {
  maxTools: number;
  maxToolBytes: number;
}

/** Returns the tools of one server in its order. Tools beyond the limits are omitted and counted. */
export function listedTools(
  server: string,
  tools: readonly ServersTool[],
  { maxTools, maxToolBytes }: ListLimits,
): { tools: ListedTool[]; leftOut: number } {
  const fitting = tools.flatMap((tool): ListedTool[] => {
    const { name, description = '', inputSchema, annotations } = tool;
    if (!isJsonObject(inputSchema as Json)) return [];
    const isReadOnly = annotations?.readOnlyHint === true;
    const listed: ListedTool = {
      name: offeredName(server, name),
      server,
      tool: name,
      description,
      inputSchema: inputSchema as JsonObject,
      isRepeatable: isReadOnly || annotations?.idempotentHint === true,
      isReadOnly,
    };
    return Buffer.byteLength(JSON.stringify(listed)) <= maxToolBytes ? [listed] : [];
  });
  const named = [...new Map(fitting.map((tool) => [tool.name, tool])).values()].slice(0, maxTools);
  return { tools: named, leftOut: tools.length - named.length };
}

/** Adapts a name that providers would reject, and makes it unique by a digest of the original. */
function offeredName(server: string, tool: string): string {
  const wanted = `${mcpToolPrefix(server)}${tool}`;
  if (/^[A-Za-z0-9_-]+$/.test(wanted) && wanted.length <= MAX_NAME_LENGTH) return wanted;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  return `${wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH - 9)}_${digest}`;
}

export interface ServersResult {
  content?: readonly { type: string; [member: string]: unknown }[] | undefined;
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** Prefers structured content; content other than text is only described. */
export function mcpOutput({ content = [], structuredContent }: ServersResult): Json {
  if (structuredContent !== undefined) return structuredContent as Json;
  if (content.every(({ type }) => type === 'text')) return content.map(({ text }) => String(text)).join('\n');
  return content.map(({ type, ...part }): Json => {
    if (type === 'text') return { type, text: String(part.text) };
    const { data, ...shown } = part as JsonObject;
    return withBytes({ type, ...withoutBlob(shown) }, data);
  });
}

function withoutBlob({ resource, ...part }: JsonObject): JsonObject {
  if (!isJsonObject(resource)) return part;
  const { blob, ...rest } = resource;
  return { ...part, resource: withBytes(rest, blob) };
}

function withBytes(shown: JsonObject, data: Json | undefined): JsonObject {
  return typeof data === 'string' ? { ...shown, bytes: Math.floor((data.length * 3) / 4) } : shown;
}
