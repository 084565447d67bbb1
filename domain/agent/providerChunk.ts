import type { CallDelta } from './gatheredCalls.ts';
import type { ProviderUsage } from './usage.ts';

/** The members that are read of a chunk of the OpenAI protocol; other providers send more or fewer. */
export interface ProviderChunk {
  choices?: { delta?: ProviderDelta | null; finish_reason?: string | null }[] | null;
  usage?: ProviderUsage | null;
}

export interface ProviderDelta {
  /** A list where a model thinks (Mistral). */
  content?: string | ContentPiece[] | null;
  refusal?: string | null;
  /** Two names that providers give to the model's thoughts. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: CallDelta[] | null;
  annotations?: ProviderAnnotation[] | null;
  /** What else a provider sends: it is kept, and sent back (extras.ts). */
  [more: string]: unknown;
}

export interface ContentPiece {
  type?: string;
  text?: unknown;
  thinking?: unknown;
}

/** Where the answer of a model that searches the web comes from. */
export interface ProviderAnnotation {
  type?: string;
  url_citation?: { url?: string | null; title?: string | null } | null;
}

/** A piece of what the model says. */
export interface Said {
  kind: 'text' | 'reasoning';
  text: string;
  /** Thoughts: the member in which they came, and go back. */
  sentAs?: SentAs;
}

export const SENT_AS = ['reasoning_content', 'reasoning', 'content'] as const;
export type SentAs = (typeof SENT_AS)[number];

/** The pieces of a delta in their order, thoughts first. Some providers send the same thought under both names. */
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

/** The text of a content that is a text or a list, without thoughts. */
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

/** A text, or a list of pieces with a text each. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((piece: ContentPiece | null) => (typeof piece?.text === 'string' ? piece.text : '')).join('');
}
