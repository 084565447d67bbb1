import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import type { Problems } from './problems.ts';

/** Reads the members of an object of unknown shape and collects the problems. null counts as absent. */
export class Shape {
  readonly #members: Record<string, unknown>;
  readonly #path: string;
  readonly #problems: Problems;
  readonly #nodeId: string | undefined;
  readonly #read = new Set<string>();

  constructor(members: Record<string, unknown>, path: string, problems: Problems, nodeId?: string) {
    this.#members = members;
    this.#path = path;
    this.#problems = problems;
    this.#nodeId = nodeId;
  }

  place(member: string): string {
    return pathTo(this.#path, member);
  }

  problem(member: string, message: string): void {
    this.#problems.add(this.place(member), message, this.#nodeId);
  }

  has(member: string): boolean {
    return this.take(member) !== undefined;
  }

  take(member: string): unknown {
    this.#read.add(member);
    const value = ownMember(this.#members, member);
    return value === null ? undefined : value;
  }

  #expect<T>(member: string, expected: string, holds: (value: unknown) => value is T): T | undefined {
    const value = this.take(member);
    if (value === undefined || holds(value)) return value;
    this.#problems.refuse(this.place(member), `expected ${expected}, got ${kindOfJson(value)}`, this.#nodeId);
    return undefined;
  }

  text(member: string, longest: number): string | undefined {
    return this.#expect(
      member,
      `text of 1 to ${longest} characters`,
      (value): value is string => typeof value === 'string' && value !== '' && value.length <= longest,
    );
  }

  number(member: string, expected: string, holds: (value: number) => boolean): number | undefined {
    const value = this.#expect(member, expected, (one): one is number => typeof one === 'number');
    if (value === undefined || (Number.isFinite(value) && holds(value))) return value;
    this.problem(member, `expected ${expected}, got ${value}`);
    return undefined;
  }

  oneOf<T extends string>(member: string, allowed: readonly T[]): T | undefined {
    const value = this.take(member);
    if (value === undefined || (allowed as readonly unknown[]).includes(value)) return value as T | undefined;
    const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : kindOfJson(value);
    this.problem(member, `expected one of ${allowed.join(', ')}, got ${got}`);
    return undefined;
  }

  object(member: string): JsonObject | undefined {
    return this.#expect(member, 'an object', isJsonObject);
  }

  list(member: string): Json[] | undefined {
    return this.#expect(member, 'a list', (value): value is Json[] => Array.isArray(value));
  }

  /** Reports members that were not read and may not be dropped. Call it last. */
  refuseOthers(owner: string, dropped: ReadonlySet<string> = new Set()): void {
    for (const member of Object.keys(this.#members)) {
      if (!this.#read.has(member) && !dropped.has(member) && this.#members[member] !== undefined) {
        this.problem(member, `${owner} has no such member, expected one of ${[...this.#read].join(', ')}`);
      }
    }
  }
}
