import { CONSOLE_LEVELS, type ConsoleLine } from '../domain/execution/stepRecord.ts';
import { isJsonObject, type Json } from '../domain/json.ts';
import type { FromFence, ThrownError } from './fence/messages.ts';

export type FenceMessage = Exclude<FromFence, { kind: 'line' }> | { kind: 'line'; id: number; line: ConsoleLine };

/** A host name has at most 253 characters, an address fewer. */
const MAX_HOST = 255;

/** Returns undefined for what no fence sends. The code in the fence may have forged it, so nothing is assumed. */
export function readFenceMessage(value: unknown): FenceMessage | undefined {
  if (!isJsonObject(value as Json)) return undefined;
  const { kind, id, ...more } = value as Record<string, unknown>;
  if (kind === 'started' || kind === 'ready' || kind === 'loaded') return { kind };
  if (kind === 'notLoaded') return { kind, message: textOf(more.message) };
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  switch (kind) {
    case 'returned':
      return typeof more.output === 'string' ? { kind, id, output: more.output } : undefined;
    case 'threw':
      return isJsonObject(more.error as Json) ? { kind, id, error: errorOf(more.error as object) } : undefined;
    case 'line': {
      const level = CONSOLE_LEVELS.find((each) => each === more.level);
      return level && { kind, id, line: { level, text: textOf(more.text) } };
    }
    case 'open': {
      const { host, port } = more;
      if (typeof host !== 'string' || host === '' || host.length > MAX_HOST) return undefined;
      const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
      return isPort ? { kind, id, host, port } : undefined;
    }
    default:
      return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function errorOf(error: object): ThrownError {
  const { message, code, retryable, retryAfterMs, details } = error as Record<string, unknown>;
  return {
    message: textOf(message),
    ...(typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? { code } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? { retryAfterMs } : {}),
    ...(typeof details === 'string' ? { details } : {}),
  };
}
