import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';

const TIMEOUT_MS = 20_000;
const INTERVAL_MS = 50;

type Matchers = Omit<ReturnType<typeof expect<unknown>>, 'not' | 'resolves' | 'rejects'>;
type Polled = { [Name in keyof Matchers]: (...args: Parameters<Matchers[Name]>) => Promise<void> };

export interface PollOptions {
  /** Milliseconds until the last try. */
  timeout?: number;
  /** Milliseconds between tries. */
  interval?: number;
}

type Check = (value: unknown) => unknown;

async function until(ask: () => unknown, check: Check, { timeout = TIMEOUT_MS, interval = INTERVAL_MS }: PollOptions) {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      await check(await ask());
      return;
    } catch (error) {
      if (Date.now() < deadline) await sleep(interval);
      else throw error;
    }
  }
}

/** Repeats `ask` until its result matches or `timeout` passes, also after errors: `await poll(() => n).toBe(2)`. */
export function poll(ask: () => unknown, options: PollOptions = {}): Polled & { not: Polled } {
  const polled = (matchersOf: (value: unknown) => Matchers): Polled => {
    const names = Object.keys(matchersOf(undefined)) as (keyof Matchers)[];
    const entries = names.map((name) => {
      const matcherOf = (value: unknown) => matchersOf(value)[name] as (...args: unknown[]) => unknown;
      return [name, (...args: unknown[]) => until(ask, (value) => matcherOf(value)(...args), options)];
    });
    return Object.fromEntries(entries);
  };
  return { ...polled((value) => expect(value)), not: polled((value) => expect(value).not) };
}
