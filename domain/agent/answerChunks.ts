import type { UIMessageChunk } from 'ai';
import { infiniteNumberAt } from '../infiniteNumber.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { placed } from '../place.ts';
import { storableText, storageProblem } from '../storableJson.ts';
import type { OfferedTool, ToolCallRef, ToolCallStatus } from './tool.ts';
import { type FinishReason, finishReasonOf } from './turnEnd.ts';
import { NO_USAGE, type Usage } from './usage.ts';

/** The members that are read of a chunk of the OpenAI protocol; other providers send more or fewer. */
export interface ProviderChunk {
  choices?: { delta?: ProviderDelta; finish_reason?: string | null }[];
  usage?: ProviderUsage | null;
  error?: { message?: string; code?: unknown } | null;
}

interface ProviderDelta {
  content?: string | null;
  refusal?: string | null;
  /** Two names that providers give to the model's thoughts. */
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: {
    index: number;
    id?: string | null;
    function?: { name?: string | null; arguments?: string | null };
  }[];
  annotations?: ProviderAnnotation[] | null;
}

/** Where the answer of a model that searches the web comes from. */
interface ProviderAnnotation {
  type?: string;
  url_citation?: { url?: string | null; title?: string | null } | null;
}

export interface ProviderUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

/** A call that the model has made, as it is kept. */
export interface MadeCall extends ToolCallRef {
  status: ToolCallStatus;
  input: JsonObject;
}

export interface AnswerEnd {
  chunks: UIMessageChunk[];
  calls: MadeCall[];
  /** The model must be called again: it has called tools, and it corrects the calls that failed at once. */
  goesOn: boolean;
  finishReason: FinishReason;
  usage: Usage;
}

export interface AnswerOptions {
  /** Begins the ids of parts and of calls that come without one: nothing before has used it. */
  prefix: string;
  tools: readonly OfferedTool[];
  /** Ids of calls that the message has. */
  takenIds: ReadonlySet<string>;
  /** False: it was asked to call no tool (`tool_choice: none`), which not every provider heeds. */
  mayCall: boolean;
}

interface Call {
  toolCallId: string;
  name: string;
  text: string;
  shown: Shown;
  isShown: boolean;
}

/** A text as it is streamed and stored: without what Postgres refuses, and not cut in the middle of a character that is two. */
class Shown {
  #half = '';

  /** What of the text so far can be shown now. */
  add(delta: string): string {
    const text = this.#half + delta;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    return storableText(text.slice(0, text.length - this.#half.length));
  }

  /** The rest, where the text ends in the middle of a character. */
  end(): string {
    const rest = storableText(this.#half);
    this.#half = '';
    return rest;
  }
}

/** One answer of a model: chunks of the provider in, chunks of the `ai` package out. */
export class AnswerChunks {
  readonly #options: AnswerOptions;
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #calls = new Map<number, Call>();
  readonly #ids: Set<string>;
  readonly #sources = new Set<string>();
  #open: { kind: 'text' | 'reasoning'; id: string; shown: Shown } | undefined;
  #parts = 0;
  #hasBegun = false;
  #finish: string | undefined;
  #usage: Usage = NO_USAGE;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    this.#ids = new Set(options.takenIds);
  }

  /** The provider has said that its answer is complete. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  take({ choices, usage }: ProviderChunk): UIMessageChunk[] {
    if (usage) this.#usage = usageOf(usage);
    const chunks: UIMessageChunk[] = [];
    const [choice] = choices ?? [];
    const { content, refusal, reasoning_content, reasoning, tool_calls, annotations } = choice?.delta ?? {};
    chunks.push(...this.#say('reasoning', reasoning_content ?? reasoning));
    chunks.push(...this.#say('text', content));
    chunks.push(...this.#say('text', refusal));
    for (const annotation of annotations ?? []) chunks.push(...this.#cite(annotation));
    for (const call of tool_calls ?? []) chunks.push(...this.#hear(call));
    if (choice?.finish_reason) this.#finish = choice.finish_reason;
    return this.#begun(chunks);
  }

  end(): AnswerEnd {
    const chunks: UIMessageChunk[] = [...this.#close()];
    const calls: MadeCall[] = [];
    for (const call of this.#calls.values()) {
      const { made, chunks: more } = this.#settle(call);
      chunks.push(...more);
      if (made) calls.push(made);
    }
    chunks.push({ type: 'finish-step' });
    const goesOn = this.#options.mayCall && this.#calls.size > 0;
    const finishReason = this.#calls.size > 0 ? 'tool-calls' : finishReasonOf(this.#finish);
    return { chunks: this.#begun(chunks), calls, goesOn, finishReason, usage: this.#usage };
  }

  #begun(chunks: UIMessageChunk[]): UIMessageChunk[] {
    if (this.#hasBegun || chunks.length === 0) return chunks;
    this.#hasBegun = true;
    return [{ type: 'start-step' }, ...chunks];
  }

  #say(kind: 'text' | 'reasoning', delta: string | null | undefined): UIMessageChunk[] {
    if (delta === null || delta === undefined || delta === '') return [];
    const chunks: UIMessageChunk[] = [];
    if (this.#open?.kind !== kind) {
      chunks.push(...this.#close());
      this.#parts += 1;
      this.#open = { kind, id: `${this.#options.prefix}-${this.#parts}`, shown: new Shown() };
      chunks.push({ type: `${kind}-start`, id: this.#open.id });
    }
    const shown = this.#open.shown.add(delta);
    return shown === '' ? chunks : [...chunks, { type: `${kind}-delta`, id: this.#open.id, delta: shown }];
  }

  /** Each address once, and none that a browser would run. */
  #cite({ type, url_citation: cited }: ProviderAnnotation): UIMessageChunk[] {
    const url = cited?.url ?? '';
    if (type !== 'url_citation' || !/^https?:/i.test(url) || !URL.canParse(url) || this.#sources.has(url)) return [];
    this.#sources.add(url);
    const sourceId = `${this.#options.prefix}-source-${this.#sources.size}`;
    const title = cited?.title ? { title: storableText(cited.title) } : {};
    return [{ type: 'source-url', sourceId, url: storableText(url), ...title }];
  }

  #close(): UIMessageChunk[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    const { kind, id, shown } = open;
    const rest = shown.end();
    return [...(rest === '' ? [] : [{ type: `${kind}-delta` as const, id, delta: rest }]), { type: `${kind}-end`, id }];
  }

  #hear({ index, id, function: said }: NonNullable<ProviderDelta['tool_calls']>[number]): UIMessageChunk[] {
    const chunks = [...this.#close()];
    const call = this.#calls.get(index) ?? this.#newCall(id, index);
    this.#calls.set(index, call);
    call.name += said?.name ?? '';
    const delta = said?.arguments ?? '';
    call.text += delta;
    if (!this.#tools.has(call.name)) return chunks;
    const { toolCallId, name: toolName } = call;
    const inputTextDelta = call.shown.add(call.isShown ? delta : call.text);
    if (!call.isShown) {
      call.isShown = true;
      chunks.push({ type: 'tool-input-start', toolCallId, toolName });
    }
    if (inputTextDelta !== '') chunks.push({ type: 'tool-input-delta', toolCallId, inputTextDelta });
    return chunks;
  }

  #newCall(id: string | null | undefined, index: number): Call {
    return { toolCallId: this.#idOf(id, index), name: '', text: '', shown: new Shown(), isShown: false };
  }

  /** The provider's id, if it is not used yet. */
  #idOf(given: string | null | undefined, index: number): string {
    const isGood = given !== null && given !== undefined && /^[\w.:-]{1,128}$/.test(given) && !this.#ids.has(given);
    const id = isGood ? given : `${this.#options.prefix}-call-${index}`;
    this.#ids.add(id);
    return id;
  }

  #settle({ toolCallId, name, text }: Call): { made?: MadeCall; chunks: UIMessageChunk[] } {
    const tool = this.#tools.get(name);
    const { input, problem } = parsed(text);
    const given = input ?? storableText(text);
    if (!tool) {
      const known = [...this.#tools.keys()].join(', ');
      const toolName = name === '' ? 'unknown' : storableText(name);
      const errorText = `There is no tool ${JSON.stringify(storableText(name))}. ${known === '' ? 'There are none.' : `There are: ${known}`}`;
      return {
        chunks: [{ type: 'tool-input-error', toolCallId, toolName, input: given, errorText, dynamic: true }],
      };
    }
    if (!this.#options.mayCall) {
      const errorText = 'The turn may call no more tools';
      return { chunks: [{ type: 'tool-input-error', toolCallId, toolName: name, input: given, errorText }] };
    }
    const problems = input === undefined ? [problem] : tool.problems(input);
    if (input === undefined || problems.length > 0) {
      const errorText = `The arguments cannot be taken: ${problems.join('; ')}`;
      return { chunks: [{ type: 'tool-input-error', toolCallId, toolName: name, input: given, errorText }] };
    }
    const available: UIMessageChunk = { type: 'tool-input-available', toolCallId, toolName: name, input };
    const made = { toolCallId, kind: tool.kind, name, input };
    if (tool.policy === 'deny') {
      return { made: { ...made, status: 'DENIED' }, chunks: [available, { type: 'tool-output-denied', toolCallId }] };
    }
    if (tool.policy === 'approve') {
      const asked: UIMessageChunk = { type: 'tool-approval-request', approvalId: `approve-${toolCallId}`, toolCallId };
      return { made: { ...made, status: 'NEEDS_APPROVAL' }, chunks: [available, asked] };
    }
    return { made: { ...made, status: 'PENDING' }, chunks: [available] };
  }
}

type Parsed = { input: JsonObject; problem?: undefined } | { input?: undefined; problem: string };

/** The arguments, or why they cannot be taken or kept. */
function parsed(text: string): Parsed {
  if (text.trim() === '') return { input: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return { problem: 'the arguments are not a JSON object' };
    const unstorable = storageProblem(JSON.stringify(value));
    if (unstorable !== undefined) return { problem: unstorable };
    const infinite = infiniteNumberAt(text, value);
    if (infinite === undefined) return { input: value };
    return { problem: placed({ path: infinite, message: 'is larger than a number can be' }) };
  } catch {
    return { problem: 'the arguments are not a JSON object' };
  }
}

/** As the protocol has it, streamed or not. */
export function usageOf(usage: ProviderUsage): Usage {
  const inputTokens = usage.prompt_tokens ?? 0;
  const outputTokens = usage.completion_tokens ?? 0;
  return {
    inputTokens,
    outputTokens,
    totalTokens: usage.total_tokens ?? inputTokens + outputTokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
