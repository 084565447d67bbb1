import type { ProviderMetadata, UIMessage, UIMessageChunk } from 'ai';
import { type ToolPart, toolPartOf } from './toolPart.ts';

type Part = UIMessage['parts'][number];

/** Returns chunks that fold to the stored message, whose original chunks are deleted. */
export function messageChunks(parts: readonly Part[]): UIMessageChunk[] {
  const chunks = parts.flatMap((part, index): UIMessageChunk[] => {
    if (part.type === 'step-start') {
      const isFirst = !parts.slice(0, index).some(({ type }) => type === 'step-start');
      return [...(isFirst ? [] : [{ type: 'finish-step' as const }]), { type: 'start-step' }];
    }
    if (part.type === 'text') return textChunks('text', `kept-${index}`, part);
    // Some reasoning parts have an id that must be kept.
    if (part.type === 'reasoning') return textChunks('reasoning', part.id ?? `kept-${index}`, part);
    if (part.type === 'source-url') {
      const { sourceId, url, title } = part;
      return [{ type: 'source-url', sourceId, url, ...(title === undefined ? {} : { title }) }];
    }
    const call = toolPartOf(part);
    return call === undefined ? [] : callChunks(call);
  });
  return parts.some(({ type }) => type === 'step-start') ? [...chunks, { type: 'finish-step' }] : chunks;
}

function textChunks(
  kind: 'text' | 'reasoning',
  id: string,
  { text: delta, providerMetadata }: { text: string; providerMetadata?: ProviderMetadata },
): UIMessageChunk[] {
  return [
    { type: `${kind}-start`, id },
    ...(delta === '' ? [] : [{ type: `${kind}-delta` as const, id, delta }]),
    { type: `${kind}-end`, id, ...beside(providerMetadata) },
  ];
}

function beside(providerMetadata: ProviderMetadata | undefined) {
  return providerMetadata === undefined ? {} : { providerMetadata };
}

function callChunks(call: ToolPart): UIMessageChunk[] {
  const { toolCallId, toolName, state, input, rawInput, output, errorText = '', approval } = call;
  const dynamic = call.type === 'dynamic-tool' ? { dynamic: true } : {};
  const given = { toolCallId, toolName, ...dynamic };
  // The input was rejected.
  if (state === 'output-error' && (input === undefined || rawInput !== undefined || call.type === 'dynamic-tool'))
    return [
      {
        type: 'tool-input-error',
        ...given,
        input: rawInput ?? input,
        errorText,
        ...beside(call.resultProviderMetadata),
      },
    ];
  const begun: UIMessageChunk[] = [
    { type: 'tool-input-available', ...given, input, ...beside(call.callProviderMetadata) },
    ...(approval ? [{ type: 'tool-approval-request' as const, approvalId: approval.id, toolCallId }] : []),
  ];
  if (state === 'output-available') return [...begun, { type: 'tool-output-available', toolCallId, output }];
  if (state === 'output-error') return [...begun, { type: 'tool-output-error', toolCallId, errorText }];
  return state === 'output-denied' ? [...begun, { type: 'tool-output-denied', toolCallId }] : begun;
}
