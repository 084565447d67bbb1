import type { UIMessage } from 'ai';
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { isJsonObject } from '../json.ts';
import { Extras } from './extras.ts';
import type { SentAs } from './providerChunk.ts';
import { type ProviderData, providerDataIn } from './providerData.ts';
import { asName, toolNameOf } from './toolNames.ts';

type Part = UIMessage['parts'][number];
type ToolCallParam = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
};

export type StoredMessage = Pick<UIMessage, 'id' | 'role' | 'parts'>;

/**
 * Converts to the OpenAI protocol, with this provider's additional data. Unfinished calls get a result that says so.
 */
export function chatMessages(
  instructions: string,
  messages: readonly StoredMessage[],
  provider: string,
): ChatCompletionMessageParam[] {
  const system: ChatCompletionMessageParam[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return [...system, ...messages.flatMap((message) => messageParams(message, provider))];
}

/** Returns the newest `limit` messages, starting with one of the user; all without a limit. */
export function lookBack<M extends StoredMessage>(messages: readonly M[], limit: number | undefined): readonly M[] {
  if (limit === undefined || messages.length <= limit) return messages;
  const newest = messages.slice(-Math.max(limit, 1));
  const first = newest.findIndex(({ role }) => role === 'user');
  if (first >= 0) return newest.slice(first);
  // If the newest messages are all one answer, its question is included.
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(Math.max(asked, 0));
}

function messageParams({ role, parts }: StoredMessage, provider: string): ChatCompletionMessageParam[] {
  if (role === 'system') return [{ role, content: textOf(parts) }];
  if (role === 'user') return [{ role, content: userContent(parts) }];
  return stepsOf(parts).flatMap((step) => stepParams(step, provider));
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function userContent(parts: readonly Part[]): string | ChatCompletionContentPart[] {
  const content = parts.flatMap(contentPart);
  return content.every((part) => part.type === 'text') ? content.map(({ text }) => text).join('\n') : content;
}

function contentPart(part: Part): ChatCompletionContentPart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type !== 'file') return [];
  const { url, mediaType, filename = 'file' } = part;
  if (mediaType.startsWith('image/')) return [{ type: 'image_url', image_url: { url } }];
  if (mediaType.startsWith('text/') && url.startsWith('data:')) {
    return [{ type: 'text', text: `${filename}:\n${dataOf(url).toString()}` }];
  }
  if (url.startsWith('data:')) return [{ type: 'file', file: { filename, file_data: url } }];
  return [{ type: 'text', text: `${filename} (${mediaType}): ${url}` }];
}

/** Returns the bytes of a data URL. As in browsers, a % that starts no escape is literal. */
function dataOf(url: string): Buffer {
  const comma = url.indexOf(',');
  const data = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(';base64') ? Buffer.from(data, 'base64') : Buffer.from(unescaped(data));
}

function unescaped(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}

function stepsOf(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps;
}

function stepParams(parts: readonly Part[], provider: string): ChatCompletionMessageParam[] {
  const calls: ToolCallParam[] = [];
  const results: ChatCompletionMessageParam[] = [];
  for (const part of parts) {
    const name = toolNameOf(part);
    if (name === undefined || !('toolCallId' in part)) continue;
    const { id = part.toolCallId, members } = providerDataOf(part, provider) ?? {};
    const input = 'input' in part && isJsonObject(part.input) ? part.input : {};
    // For an unknown tool: a provider may reject the invented name, so it is adapted.
    calls.push({
      ...members,
      id,
      type: 'function',
      function: { name: asName(name), arguments: JSON.stringify(input) },
    });
    results.push({ role: 'tool', tool_call_id: id, content: resultOf(part) });
  }
  const text = textOf(parts);
  if (text === '' && calls.length === 0) return [];
  const { thoughts, members } = reasoningAndMembers(parts, provider);
  const content = thoughts.content === undefined ? text || null : contentList(parts, provider);
  const { content: _, ...others } = thoughts;
  const made = calls.length === 0 ? {} : { tool_calls: calls };
  return [{ ...members, ...others, role: 'assistant', content, ...made } as ChatCompletionMessageParam, ...results];
}

function providerDataOf(part: Part, provider: string): ProviderData | undefined {
  const { providerMetadata, callProviderMetadata, resultProviderMetadata } = part as Record<string, unknown>;
  return providerDataIn(providerMetadata ?? callProviderMetadata ?? resultProviderMetadata, provider);
}

/** Returns the reasoning by the member that contained it, and the other members. */
function reasoningAndMembers(parts: readonly Part[], provider: string) {
  const thoughts: Partial<Record<SentAs, string>> = {};
  const extras = new Extras();
  for (const part of parts) {
    if (part.type !== 'reasoning' && part.type !== 'text') continue;
    const kept = providerDataOf(part, provider);
    if (kept?.sentAs) thoughts[kept.sentAs] = (thoughts[kept.sentAs] ?? '') + part.text;
    extras.addAll(kept?.members ?? {});
  }
  return { thoughts, members: extras.take() };
}

/** Mistral's form: a list with both reasoning and text. */
function contentList(parts: readonly Part[], provider: string): object[] {
  return parts.flatMap((part): object[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type !== 'reasoning' || providerDataOf(part, provider)?.sentAs !== 'content') return [];
    return [{ type: 'thinking', thinking: [{ type: 'text', text: part.text }] }];
  });
}

export function resultOf(part: Part): string {
  const { state, output, errorText, approval } = part as {
    state?: string;
    output?: unknown;
    errorText?: string;
    approval?: { approved?: boolean; reason?: string };
  };
  if (state === 'output-available') return typeof output === 'string' ? output : JSON.stringify(output ?? null);
  if (state === 'output-error') return `Error: ${errorText ?? 'unknown'}`;
  if (state === 'output-denied' || approval?.approved === false) {
    return `Not allowed${approval?.reason ? `: ${approval.reason}` : '.'}`;
  }
  return 'The call was not finished.';
}
