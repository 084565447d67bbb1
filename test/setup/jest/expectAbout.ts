import { types } from 'node:util';
import { expect } from '@jest/globals';

type Matcher = (...args: unknown[]) => unknown;

function named(error: unknown, about: string): unknown {
  if (!types.isNativeError(error)) return error;
  const message = `${about}: ${error.message}`;
  error.stack = error.stack?.replace(error.message, () => message);
  error.message = message;
  return error;
}

/** Wraps the matchers, including `not`, `resolves` and `rejects`. */
function telling<Matchers extends object>(matchers: Matchers, about: string): Matchers {
  const entries = Object.entries(matchers).map(([name, matcher]) => {
    if (typeof matcher !== 'function') return [name, telling(matcher, about)];
    const tell = (...args: unknown[]) => {
      try {
        const result = (matcher as Matcher)(...args);
        if (!types.isPromise(result)) return result;
        return result.catch((error: unknown) => {
          throw named(error, about);
        });
      } catch (error) {
        throw named(error, about);
      }
    };
    return [name, tell];
  });
  return Object.fromEntries(entries);
}

/** `expect` whose failure message begins with the subject: one of many nodes, files or requests. */
export function expectAbout<Value>(value: Value, about: string): ReturnType<typeof expect<Value>> {
  return telling(expect(value), about);
}
