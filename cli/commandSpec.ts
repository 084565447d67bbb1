import type { OperationId } from '#client';
import type { Output } from './output.ts';
import type { Place } from './place.ts';

export interface ArgumentSpec {
  /** As shown in help: `<workflow>`, `[dir]`, `[arguments...]`. */
  name: string;
  summary: string;
}

export interface OptionSpec {
  /** As commander parses it: `--limit <n>`, `-o, --out <file>`. */
  flags: string;
  summary: string;
  /** Repeatable. */
  many?: true;
}

/** A command as data, from which help, completion, docs/cli.md and the program are made. */
export interface CommandSpec {
  /** `run`, or `executions list`. */
  name: string;
  summary: string;
  arguments?: ArgumentSpec[];
  options?: OptionSpec[];
  examples: string[];
  /** Operations of the contract that the command may call. */
  operations: OperationId[];
  /** Lazy, so that a start loads only one command. */
  load: () => Promise<Handler>;
}

export interface Invocation {
  arguments: (string | undefined)[];
  options: Options;
  out: Output;
  /** Resolves the API, the caller and the project. Throws a Usage if they are not configured. */
  place(): Promise<Place>;
  signal: AbortSignal;
}

export type Handler = (invocation: Invocation) => Promise<number>;

export class Options {
  readonly #values: Record<string, unknown>;

  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  isSet(name: string): boolean {
    return this.#values[name] === true;
  }

  isOff(name: string): boolean {
    return this.#values[name] === false;
  }
}
