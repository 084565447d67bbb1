import type { CallDelta } from './gatheredCalls.ts';
import type { ProviderUsage } from './usage.ts';

/** The members of an OpenAI protocol chunk that are read. Providers may send others. */
export interface ProviderChunk {
  choices?: { delta?: ProviderDelta | null; finish_reason?: string | null }[] | null;
  usage?: ProviderUsage | null;
}

export interface ProviderDelta {
  /** A list if the model emits reasoning (Mistral). */
  content?: string | ContentPiece[] | null;
  refusal?: string | null;
  /** Providers use either name for reasoning. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: CallDelta[] | null;
  annotations?: ProviderAnnotation[] | null;
  /** Other members are stored and returned (extras.ts). */
  [more: string]: unknown;
}

export interface ContentPiece {
  type?: string;
  text?: unknown;
  thinking?: unknown;
}

export interface ProviderAnnotation {
  type?: string;
  url_citation?: { url?: string | null; title?: string | null } | null;
}

export interface Said {
  kind: 'text' | 'reasoning';
  text: string;
  /** For reasoning: the member that contained it, which is also used to return it. */
  sentAs?: SentAs;
}

export const SENT_AS = ['reasoning_content', 'reasoning', 'content'] as const;
export type SentAs = (typeof SENT_AS)[number];

/** Returns the pieces of a delta in order, reasoning first. Some providers send the same reasoning under both names. */
export function saidIn({ reasoning_content, reasoning, content, refusal }: ProviderDelta): Said[] {
  const thought: Said[] =
    typeof reasoning_content === 'string'
      ? [{ kind: 'reasoning', text: reasoning_content, sentAs: 'reasoning_content' }]
      : typeof reasoning === 'string'
        ? [{ kind: 'reasoning', text: reasoning, sentAs: 'reasoning' }]
        : [];
  const refused: Said[] = typeof refusal === 'string' ? [{ kind: 'text', text: refusal }] : [];
  return [...thought, ...contentOf(content), ...refused].filter(({ text }) => text !== '');
}

export function contentText(content: ProviderDelta['content']): string {
  return contentOf(content)
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('');
}

function contentOf(content: ProviderDelta['content']): Said[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((piece): Said[] => {
    if (piece?.type === 'text') return [{ kind: 'text', text: textOf(piece.text) }];
    if (piece?.type !== 'thinking') return [];
    return [{ kind: 'reasoning', text: textOf(piece.thinking), sentAs: 'content' }];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((piece: ContentPiece | null) => (typeof piece?.text === 'string' ? piece.text : '')).join('');
}
