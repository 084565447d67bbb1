import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { ModelRequest } from './modelRequest.ts';
import type { FinishReason, ModelStep, ScriptedUsage } from './modelScript.ts';

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** Plays a script as the response to one call of `/v1/chat/completions`, in chunks or as one body. */
export class ChatAnswer {
  #text = '';
  #reasoning = '';
  #refusal: string | undefined;
  #calls: ToolCall[] = [];
  #pieces = 0;
  #finish: FinishReason | undefined;
  #usage: Partial<ScriptedUsage> = {};
  readonly #request: ModelRequest;
  readonly #response: ServerResponse;
  readonly #id: string;

  constructor(request: ModelRequest, response: ServerResponse, id: string) {
    this.#request = request;
    this.#response = response;
    this.#id = id;
  }

  async play(script: readonly ModelStep[]): Promise<void> {
    for (const step of script) {
      if (this.#response.destroyed) return;
      if (await this.#take(step)) return;
    }
    if (!this.#response.destroyed) this.#end();
  }

  /** Returns true if nothing may follow. */
  async #take(step: ModelStep): Promise<boolean> {
    if ('after' in step) await (typeof step.after === 'function' ? step.after() : step.after);
    else if ('waitMs' in step) await setTimeout(step.waitMs);
    else if ('finish' in step) this.#finish = step.finish;
    else if ('usage' in step) this.#usage = step.usage;
    else if ('hang' in step) {
      this.#open();
      if (!this.#response.destroyed) await once(this.#response, 'close');
      return true;
    } else if ('close' in step) {
      this.#open();
      this.#response.end();
      return true;
    } else if ('chunk' in step) this.#write({ ...this.#head('chat.completion.chunk'), ...step.chunk });
    else if ('raw' in step) {
      this.#open();
      if (!this.#response.destroyed) this.#response.write(step.raw);
    } else if ('disconnect' in step) {
      // Earlier writes still arrive.
      this.#response.socket?.destroySoon();
      return true;
    } else if ('status' in step) {
      this.#fail(step);
      return true;
    } else this.#say(step);
    return false;
  }

  #say(
    step: Extract<ModelStep, { text: string } | { reasoning: string } | { refusal: string } | { toolCall: object }>,
  ) {
    this.#pieces += 1;
    if ('text' in step) {
      this.#text += step.text;
      this.#request.sent += step.text;
      this.#chunk({ content: step.text });
    } else if ('reasoning' in step) {
      this.#reasoning += step.reasoning;
      this.#chunk({ reasoning_content: step.reasoning });
    } else if ('refusal' in step) {
      this.#refusal = (this.#refusal ?? '') + step.refusal;
      this.#chunk({ refusal: step.refusal });
    } else {
      const { id, name, arguments: given } = step.toolCall;
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const index = this.#calls.push({ id, type: 'function', function: { name, arguments: text } }) - 1;
      const half = Math.ceil(text.length / 2);
      this.#chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
      for (const piece of [text.slice(0, half), text.slice(half)]) {
        this.#chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    }
  }

  #fail({ status, headers = {}, error = { message: 'Scripted.' } }: Extract<ModelStep, { status: number }>): void {
    if (this.#response.headersSent) {
      this.#write({ error: { code: status, ...error } });
      this.#response.end();
      return;
    }
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
  }

  #end(): void {
    const finish = this.#finish ?? (this.#calls.length > 0 ? 'tool_calls' : 'stop');
    if (this.#request.body.stream !== true) {
      this.#whole(finish);
      return;
    }
    this.#chunk({}, finish);
    const wanted = this.#request.body.stream_options as { include_usage?: boolean } | undefined;
    if (wanted?.include_usage === true)
      this.#write({ ...this.#head('chat.completion.chunk'), choices: [], usage: this.#tokens() });
    this.#response.end('data: [DONE]\n\n');
  }

  #whole(finish: FinishReason): void {
    const message = {
      role: 'assistant',
      content: this.#text === '' ? null : this.#text,
      refusal: this.#refusal ?? null,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    const body = { ...this.#head('chat.completion'), choices, usage: this.#tokens() };
    this.#response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #tokens() {
    const { prompt, completion, cached = 0, reasoning = 0 } = this.#usage;
    const input = prompt ?? Math.ceil(JSON.stringify(this.#request.body.messages).length / 4);
    const output = completion ?? this.#pieces;
    return {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
  }

  #head(object: string) {
    return { id: this.#id, object, created: 1_795_000_000, model: this.#request.body.model };
  }

  #open(): void {
    if (this.#request.body.stream !== true || this.#response.headersSent || this.#response.destroyed) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.flushHeaders();
  }

  #chunk(delta: object, finish: FinishReason | null = null): void {
    if (this.#request.body.stream !== true) return;
    this.#write({ ...this.#head('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
  }

  #write(value: object): void {
    this.#open();
    if (!this.#response.destroyed) this.#response.write(`data: ${JSON.stringify(value)}\n\n`);
  }
}
