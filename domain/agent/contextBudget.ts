import type { UIMessage } from 'ai';
import { cutText } from '../cutText.ts';
import { resultOf, type StoredMessage } from './chatMessages.ts';
import { toolPartOf } from './toolPart.ts';

type Part = UIMessage['parts'][number];

/** The omissions in a model call (`latestRun.contextTrimmed`). */
export interface ContextTrimmed {
  toolResults: number;
  messages: number;
}

export interface ContextBudget {
  /** The budget of the messages, without instructions and tools. */
  tokens: number;
  tokensOf(text: string): number;
}

/** Results with more characters are shortened to SHORT_RESULT characters. */
const LONG_RESULT = 2_000;
const SHORT_RESULT = 500;
/** Tokens counted for an image of any size, and for the frame of a message or part. */
const IMAGE_TOKENS = 1_500;
const AROUND_TOKENS = 6;

interface Sized {
  message: StoredMessage;
  tokens: number;
}

/**
 * Returns the conversation that a model receives. To fit the budget, it shortens the oldest tool results, then removes
 * the oldest turns, then the oldest steps of the current answer; at last the newest results share what remains. The
 * user's last message stays, and a call stays with its result. A current answer, if any, is last.
 */
export function withinBudget(
  messages: readonly StoredMessage[],
  { tokens, tokensOf }: ContextBudget,
): { messages: readonly StoredMessage[]; trimmed?: ContextTrimmed } {
  const conversation = new Conversation(messages, tokensOf);
  if (conversation.tokens <= tokens) return { messages };
  conversation.shortenResults(tokens);
  conversation.leaveTurns(tokens);
  conversation.leaveSteps(tokens);
  conversation.shareNewestResults(tokens);
  const { toolResults, left } = conversation;
  if (toolResults === 0 && left === 0) return { messages };
  return { messages: conversation.messages, trimmed: { toolResults, messages: left } };
}

class Conversation {
  toolResults = 0;
  left = 0;
  tokens = 0;
  #all: Sized[];
  readonly #tokensOf: (text: string) => number;

  constructor(messages: readonly StoredMessage[], tokensOf: (text: string) => number) {
    this.#tokensOf = tokensOf;
    this.#all = messages.map((message) => ({ message, tokens: this.#sizeOf(message.parts) }));
    for (const sized of this.#all) this.tokens += sized.tokens;
  }

  get messages(): StoredMessage[] {
    return this.#all.map(({ message }) => message);
  }

  /** Shortens the oldest first, and never those of the newest step. */
  shortenResults(most: number): void {
    const newest = this.#newestStep();
    for (const sized of this.#all) {
      const end = sized === newest?.sized ? newest.from : sized.message.parts.length;
      for (let index = 0; index < end && this.tokens > most; index += 1) this.#shorten(sized, index, SHORT_RESULT);
    }
  }

  /** A turn is a user's message with its answers. */
  leaveTurns(most: number): void {
    while (this.tokens > most) {
      const [, next] = this.#all.flatMap(({ message }, index) => (message.role === 'user' ? [index] : []));
      const first = this.#all.findIndex(({ message }) => message.role === 'user');
      const end = first > 0 ? first : next;
      if (end === undefined) return;
      for (const { tokens } of this.#all.splice(0, end)) this.tokens -= tokens;
      this.left += end;
    }
  }

  leaveSteps(most: number): void {
    while (this.tokens > most) {
      const sized = this.#answer();
      const [, second] = sized ? stepStarts(sized.message.parts) : [];
      if (!sized || second === undefined) return;
      this.#replace(sized, sized.message.parts.slice(second));
      this.left += 1;
    }
  }

  shareNewestResults(most: number): void {
    const newest = this.#newestStep();
    if (!newest || this.tokens <= most) return;
    const { sized, from } = newest;
    const places = sized.message.parts.flatMap((part, index) => (index >= from && isResult(part) ? [index] : []));
    const results = places.map((index) => resultOf(sized.message.parts[index] as Part));
    const tokens = results.reduce((sum, result) => sum + this.#tokensOf(result), 0);
    const characters = results.reduce((sum, { length }) => sum + length, 0);
    const share = ((most - this.tokens + tokens) / tokens) * characters;
    const each = Math.max(SHORT_RESULT, Math.floor(share / places.length));
    for (const index of places) this.#shorten(sized, index, each);
  }

  #answer(): Sized | undefined {
    const last = this.#all.at(-1);
    return last?.message.role === 'assistant' ? last : undefined;
  }

  #newestStep(): { sized: Sized; from: number } | undefined {
    const sized = this.#answer();
    return sized && { sized, from: stepStarts(sized.message.parts).at(-1) ?? 0 };
  }

  #shorten(sized: Sized, index: number, characters: number): void {
    const { parts } = sized.message;
    const part = parts[index] as Part;
    if (!isResult(part)) return;
    const result = resultOf(part);
    if (result.length <= Math.max(characters, LONG_RESULT)) return;
    const note = ' The result was shortened to save space: call the tool again if you need all of it.';
    this.#replace(sized, parts.with(index, withResult(part, `${cutText(result, characters)}${note}`)));
    this.toolResults += 1;
  }

  #replace(sized: Sized, parts: Part[]): void {
    const tokens = this.#sizeOf(parts);
    this.tokens += tokens - sized.tokens;
    Object.assign(sized, { message: { ...sized.message, parts }, tokens });
  }

  #sizeOf(parts: readonly Part[]): number {
    return parts.reduce((sum, part) => sum + this.#partSize(part), AROUND_TOKENS);
  }

  #partSize(part: Part): number {
    if (part.type === 'text' || part.type === 'reasoning') return AROUND_TOKENS + this.#tokensOf(part.text);
    if (part.type === 'file') {
      return part.mediaType.startsWith('image/') ? IMAGE_TOKENS : AROUND_TOKENS + this.#tokensOf(part.url);
    }
    const call = toolPartOf(part);
    if (call === undefined) return 0;
    const input = JSON.stringify(call.input ?? {});
    return 2 * AROUND_TOKENS + this.#tokensOf(input) + this.#tokensOf(resultOf(part));
  }
}

function isResult(part: Part): boolean {
  const state = toolPartOf(part)?.state;
  return state === 'output-available' || state === 'output-error';
}

function withResult(part: Part, result: string): Part {
  return {
    ...part,
    ...(toolPartOf(part)?.state === 'output-error' ? { errorText: result } : { output: result }),
  } as Part;
}

function stepStarts(parts: readonly Part[]): number[] {
  const starts = parts.flatMap(({ type }, index) => (type === 'step-start' ? [index] : []));
  return starts[0] === 0 ? starts : [0, ...starts];
}
