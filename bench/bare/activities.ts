import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { OpenAI } from 'openai';
import type {
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Order, OrderTotal } from '../order.ts';

export async function sumUp(order: Order): Promise<OrderTotal> {
  const named = { customer: order.customer.toUpperCase(), items: order.items };
  const lines = named.items.map((item) => item.price * item.quantity);
  return { customer: named.customer, total: lines.reduce((sum, line) => sum + line, 0) };
}

export async function succeed<Value>(output: Value): Promise<Value> {
  return output;
}

export async function double(item: number): Promise<number> {
  return item * 2;
}

export async function doubleAll(items: { number: number }[]): Promise<number[]> {
  return items.map(({ number }) => number * 2);
}

/** Returns epoch milliseconds. */
export async function stamp(): Promise<number> {
  return Date.now();
}

const HEARTBEAT_MS = 1_000;

/** Counterpart of `testing.wait`: responds to cancellation, which it receives with its heartbeats. */
export async function wait(ms: number): Promise<number> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    await delay(ms, undefined, { signal: context.cancellationSignal });
  } catch (error) {
    await context.cancelled;
    throw error;
  } finally {
    clearInterval(beat);
  }
  return ms;
}

const TOOL = {
  type: 'function',
  function: { name: 'succeed', parameters: { type: 'object', properties: { output: {} } } },
} as const;

export interface ModelAnswer {
  content: string;
  calls: ChatCompletionMessageFunctionToolCall[];
}

const clients = new Map<string, OpenAI>();

/** Makes one streamed model call by hand, which reports nothing before its end. */
export async function askModel(baseURL: string, messages: ChatCompletionMessageParam[]): Promise<ModelAnswer> {
  const client = clients.get(baseURL) ?? new OpenAI({ apiKey: 'sk-bench', baseURL });
  clients.set(baseURL, client);
  const stream = client.chat.completions.stream({ model: 'bench', messages, tools: [TOOL] });
  const message = (await stream.finalChatCompletion()).choices[0]?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
  return {
    content: message?.content ?? '',
    calls: calls.map(({ id, type, function: { name, arguments: given } }) => ({
      id,
      type,
      function: { name, arguments: given },
    })),
  };
}

/** `wait` as an action of Perdure. */
export async function waitOnWorker({ inputs }: { inputs: { ms: number } }): Promise<number> {
  return wait(inputs.ms);
}
