import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Order, OrderTotal } from '../order.ts';

/** The three steps of bench/definitions.ts, written by hand. */
export async function sumUp(order: Order): Promise<OrderTotal> {
  const named = { customer: order.customer.toUpperCase(), items: order.items };
  const lines = named.items.map((item) => item.price * item.quantity);
  return { customer: named.customer, total: lines.reduce((sum, line) => sum + line, 0) };
}

/** Beside `testing.succeed`. */
export async function succeed<Value>(output: Value): Promise<Value> {
  return output;
}

/** Beside `core.transform` with `{{ loop.item * 2 }}`. */
export async function double(item: number): Promise<number> {
  return item * 2;
}

/** Beside `core.transform` over the items of a batch. */
export async function doubleAll(items: { number: number }[]): Promise<number[]> {
  return items.map(({ number }) => number * 2);
}

/** Epoch milliseconds. */
export async function stamp(): Promise<number> {
  return Date.now();
}

const HEARTBEAT_MS = 1_000;

/** Beside `testing.wait`: heeds cancellation, of which it hears with its heartbeats. */
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
