import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { durationMs } from '../domain/duration.ts';
import { isJsonObject } from '../domain/json.ts';
import { Usage } from './exitCode.ts';

/** Parses literal JSON, a file with `@file`, or stdin with `-`. */
export async function jsonOf(given: string, what: string): Promise<unknown> {
  const source =
    given === '-' ? await text(process.stdin) : given.startsWith('@') ? await fileText(given.slice(1)) : given;
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Usage(`${what} is not valid JSON: ${(error as Error).message}`);
  }
}

export async function objectOf(given: string, what: string): Promise<Record<string, unknown>> {
  const value = await jsonOf(given, what);
  if (isJsonObject(value)) return value;
  throw new Usage(`${what} must be a JSON object`);
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Usage(`${path} cannot be read: ${(error as Error).message}`);
  }
}

export function pairsOf(given: string[], option: string): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=');
      if (at < 1) throw new Usage(`${option} expects key=value, not ${each}`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

/** Parses `90s`, `10m`, `1h30m` into milliseconds. */
export function durationOf(given: string, option: string): number {
  const ms = durationMs(given);
  if (ms === undefined) throw new Usage(`${option} expects a duration such as 90s, 10m or 1h30m, not ${given}`);
  return ms;
}

export function numberOf(given: string | undefined, option: string): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given)) return Number(given);
  throw new Usage(`${option} expects a whole number, not ${given}`);
}

export function fieldValue(type: string, given: string): unknown {
  if (type === 'boolean') {
    if (['true', 'yes', 'y'].includes(given.toLowerCase())) return true;
    if (['false', 'no', 'n'].includes(given.toLowerCase())) return false;
  }
  if (type === 'number' && given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  if (type === 'json' || type === 'multiSelect') {
    try {
      return JSON.parse(given);
    } catch {
      return type === 'multiSelect' ? given.split(',') : given;
    }
  }
  return given;
}
