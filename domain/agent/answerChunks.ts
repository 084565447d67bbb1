import { createHash } from 'node:crypto';
import type { UIMessageChunk } from 'ai';
import type { Json } from '../json.ts';
import { storableText } from '../storableJson.ts';
import { Extras } from './extras.ts';
import { type CallDelta, type GatheredCall, GatheredCalls } from './gatheredCalls.ts';
import { type ProviderAnnotation, type ProviderChunk, type ProviderDelta, type Said, saidIn } from './providerChunk.ts';
import { metadataOf } from './providerData.ts';
import { type MadeCall, settledCall } from './settledCall.ts';
import type { OfferedTool } from './tool.ts';
import { type FinishReason, finishReasonOf } from './turnEnd.ts';
import { NO_USAGE, type Usage, usageOf } from './usage.ts';

export interface AnswerEnd {
  chunks: UIMessageChunk[];
  calls: MadeCall[];
  /** The model must be called again: it has called tools, and it receives errors for rejected calls. */
  continues: boolean;
  finishReason: FinishReason;
  usage: Usage;
}

export interface AnswerOptions {
  /** Starts the ids of parts and calls that come without one. No earlier answer has used this prefix. */
  prefix: string;
  tools: readonly OfferedTool[];
  takenIds: ReadonlySet<string>;
  /** False: the request disallowed tool calls (`tool_choice: none`), which some providers ignore. */
  mayCall: boolean;
  /** Names the provider. Data that it sends in addition to the text is returned to this provider only. */
  provider: string;
  /** The number of calls of one answer that run; the model receives errors for the others. */
  maxCalls: number;
  /** The number of consecutive answers before this one that were cut off within a call. */
  cutBefore: number;
}

/** The model is informed about a call that was cut off this many times in a row; then the turn ends. */
const MAX_CUT = 3;
/** A multiple of the allowed calls. An answer with more calls is discarded. */
const MAX_TIMES_CALLS = 8;

/** The members of a delta that are interpreted; the others are stored as they are. */
const READ_MEMBERS: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio'],
  ...['reasoning_content', 'reasoning'],
]);

interface ShownCall {
  toolCallId: string;
  text: Shown;
  isShown: boolean;
}

interface OpenPart extends Pick<Said, 'kind' | 'sentAs'> {
  id: string;
  shown: Shown;
}

/** A text as it is streamed and stored: without characters that Postgres rejects, surrogate pairs whole. */
class Shown {
  #half = '';

  add(delta: string): string {
    const text = this.#half + delta;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    return storableText(text.slice(0, text.length - this.#half.length));
  }

  end(): string {
    const rest = storableText(this.#half);
    this.#half = '';
    return rest;
  }
}

/** Converts one answer of a model from the provider's chunks to chunks of the `ai` package. */
export class AnswerChunks {
  readonly #options: AnswerOptions;
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #calls: GatheredCalls;
  readonly #shownCalls = new Map<GatheredCall, ShownCall>();
  readonly #ids: Set<string>;
  readonly #sources = new Set<string>();
  readonly #extras = new Extras();
  #open: OpenPart | undefined;
  #parts = 0;
  #hasBegun = false;
  #finish: string | undefined;
  #usage: Usage = NO_USAGE;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
    this.#calls = new GatheredCalls((name) => this.#tools.has(name));
    this.#ids = new Set(options.takenIds);
  }

  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  get hasTooManyCalls(): boolean {
    return this.#calls.all.length > this.#options.maxCalls * MAX_TIMES_CALLS;
  }

  take({ choices, usage }: ProviderChunk): UIMessageChunk[] {
    if (usage) this.#usage = usageOf(usage);
    const [choice] = choices ?? [];
    const delta = choice?.delta ?? {};
    const chunks = saidIn(delta).flatMap((said) => this.#say(said));
    for (const annotation of delta.annotations ?? []) chunks.push(...this.#cite(annotation));
    for (const piece of delta.tool_calls ?? []) chunks.push(...this.#hear(piece));
    this.#keep(delta);
    // OpenRouter ends a failed answer with this reason.
    if (choice?.finish_reason && choice.finish_reason !== 'error') this.#finish = choice.finish_reason;
    return this.#begun(chunks);
  }

  end(): AnswerEnd {
    const chunks: UIMessageChunk[] = [...this.#close(), ...this.#restOfExtras()];
    const calls: MadeCall[] = [];
    for (const [index, call] of this.#calls.all.entries()) {
      const { made, chunks: more } = this.#settle(call, index);
      chunks.push(...more);
      if (made) calls.push(made);
    }
    chunks.push({ type: 'finish-step' });
    const continues = this.#options.mayCall && this.#calls.all.length > 0;
    const { chunks: all, usage } = { chunks: this.#begun(chunks), usage: this.#usage };
    const ended = finishReasonOf(this.#finish);
    if (this.#isCut)
      return { chunks: all, calls, continues: continues && !this.#isCutAgain(calls), finishReason: ended, usage };
    return { chunks: all, calls, continues, finishReason: this.#calls.all.length > 0 ? 'tool-calls' : ended, usage };
  }

  /** Providers that send complete calls may have closed the arguments of a call that was cut off. */
  get #isCut(): boolean {
    const reason = finishReasonOf(this.#finish);
    return this.#calls.all.length > 0 && (reason === 'length' || reason === 'content-filter');
  }

  #isCutAgain(calls: readonly MadeCall[]): boolean {
    return calls.length === 0 && this.#options.cutBefore + 1 >= MAX_CUT;
  }

  #begun(chunks: UIMessageChunk[]): UIMessageChunk[] {
    if (this.#hasBegun || chunks.length === 0) return chunks;
    this.#hasBegun = true;
    return [{ type: 'start-step' }, ...chunks];
  }

  #say({ kind, text, sentAs }: Said): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [];
    if (this.#open?.kind !== kind || this.#open.sentAs !== sentAs) {
      chunks.push(...this.#close());
      this.#open = { kind, id: this.#partId(), shown: new Shown(), ...(sentAs ? { sentAs } : {}) };
      chunks.push({ type: `${kind}-start`, id: this.#open.id });
    }
    const shown = this.#open.shown.add(text);
    return shown === '' ? chunks : [...chunks, { type: `${kind}-delta`, id: this.#open.id, delta: shown }];
  }

  #partId(): string {
    this.#parts += 1;
    return `${this.#options.prefix}-${this.#parts}`;
  }

  /** Lists each address once, and no address that a browser would execute. */
  #cite({ type, url_citation: cited }: ProviderAnnotation): UIMessageChunk[] {
    const url = cited?.url ?? '';
    if (type !== 'url_citation' || !/^https?:/i.test(url) || !URL.canParse(url) || this.#sources.has(url)) return [];
    this.#sources.add(url);
    const sourceId = `${this.#options.prefix}-source-${this.#sources.size}`;
    const title = cited?.title ? { title: storableText(cited.title) } : {};
    return [{ type: 'source-url', sourceId, url: storableText(url), ...title }];
  }

  #keep(delta: ProviderDelta): void {
    for (const [name, value] of Object.entries(delta)) {
      const isThought = (name === 'reasoning_content' || name === 'reasoning') && typeof value !== 'string';
      if (!READ_MEMBERS.has(name) || isThought) this.#extras.add(name, value as Json);
    }
  }

  #close(): UIMessageChunk[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    const { kind, id, shown, sentAs } = open;
    const rest = shown.end();
    const deltas: UIMessageChunk[] = rest === '' ? [] : [{ type: `${kind}-delta`, id, delta: rest }];
    return [...deltas, { type: `${kind}-end`, id, ...this.#beside(sentAs) }];
  }

  /** Returns metadata with the additional data of the part and the name of its reasoning member. */
  #beside(sentAs: Said['sentAs']) {
    if (sentAs === undefined && this.#extras.isEmpty) return {};
    const members = this.#extras.isEmpty ? {} : { members: this.#extras.take() };
    return metadataOf({ provider: this.#options.provider, ...(sentAs ? { sentAs } : {}), ...members });
  }

  #restOfExtras(): UIMessageChunk[] {
    if (this.#extras.isEmpty) return [];
    const id = this.#partId();
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, ...this.#beside(undefined) },
    ];
  }

  #hear(piece: CallDelta): UIMessageChunk[] {
    const chunks = this.#close();
    const { call, added } = this.#calls.take(piece);
    if (!this.#tools.has(call.name) || this.#calls.all.length > this.#options.maxCalls) return chunks;
    const shown = this.#shownCall(call);
    const { toolCallId } = shown;
    const inputTextDelta = shown.text.add(shown.isShown ? added : call.text);
    if (!shown.isShown) {
      shown.isShown = true;
      chunks.push({ type: 'tool-input-start', toolCallId, toolName: call.name });
    }
    if (inputTextDelta !== '') chunks.push({ type: 'tool-input-delta', toolCallId, inputTextDelta });
    return chunks;
  }

  #shownCall(call: GatheredCall): ShownCall {
    const shown = this.#shownCalls.get(call) ?? { toolCallId: this.#idOf(call), text: new Shown(), isShown: false };
    this.#shownCalls.set(call, shown);
    return shown;
  }

  #idOf({ givenId }: GatheredCall): string {
    const isGood = givenId !== undefined && CALL_ID.test(givenId) && !this.#ids.has(givenId);
    const id = isGood ? givenId : this.#ownId();
    this.#ids.add(id);
    return id;
  }

  /** Nine letters and digits, the only form that Mistral accepts. */
  #ownId(): string {
    for (let count = this.#ids.size; ; count += 1) {
      const hash = createHash('sha256').update(`${this.#options.prefix} call ${count}`).digest('base64');
      const id = hash.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 9);
      if (!this.#ids.has(id)) return id;
    }
  }

  #settle(call: GatheredCall, index: number) {
    const { name, text, givenId } = call;
    const { toolCallId } = this.#shownCall(call);
    const unusable = givenId !== undefined && !CALL_ID.test(givenId) && givenId.length <= MAX_GIVEN_ID_LENGTH;
    const kept = {
      ...(call.extras.isEmpty ? {} : { members: call.extras.take() }),
      ...(unusable ? { id: storableText(givenId) } : {}),
    };
    const isKept = Object.keys(kept).length > 0;
    const metadata = isKept ? metadataOf({ provider: this.#options.provider, ...kept }) : {};
    return settledCall({ toolCallId, name, text, metadata, refusal: this.#refusalOf(index) }, this.#tools);
  }

  #refusalOf(index: number): string | undefined {
    const { mayCall, maxCalls } = this.#options;
    const { length } = this.#calls.all;
    if (!mayCall) return 'No tool calls are left in this turn';
    if (index >= maxCalls) {
      return `Only the first ${maxCalls} of the ${length} calls in one answer run. Repeat the others in your next answers`;
    }
    if (!this.#isCut || index < length - 1) return undefined;
    return finishReasonOf(this.#finish) === 'length'
      ? 'The tool did not run: the limit of output tokens cut the answer off within this call. Write less before it, or split the work into smaller calls'
      : "The tool did not run: the provider's content filter ended the answer within this call";
  }
}

const CALL_ID = /^[\w.:-]{1,128}$/;
/** Long, because some gateways put signatures into ids. */
const MAX_GIVEN_ID_LENGTH = 65_536;
