import type { OperationId } from '#client';
import type { Output } from './output.ts';
import type { Place } from './place.ts';

export interface ArgumentSpec {
  /** As help shows it: `<workflow>`, `[dir]`, `[arguments...]`. */
  name: string;
  summary: string;
}

export interface OptionSpec {
  /** As commander reads it: `--limit <n>`, `-o, --out <file>`. */
  flags: string;
  summary: string;
  /** May be given several times. */
  many?: true;
}

/** One command as data: help, completion, docs/cli.md and the program are made of it. */
export interface CommandSpec {
  /** `run`, or `executions list`. */
  name: string;
  summary: string;
  arguments?: ArgumentSpec[];
  options?: OptionSpec[];
  examples: string[];
  /** Operations of the contract that it may call. */
  operations: OperationId[];
  /** Loaded when it runs: a start pays for one command. */
  load: () => Promise<Handler>;
}

export interface Invocation {
  arguments: (string | undefined)[];
  options: Options;
  out: Output;
  /** Which API, as whom. Throws a Usage where nobody says. */
  place(): Promise<Place>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** Does the work; answers the exit code. */
export type Handler = (invocation: Invocation) => Promise<number>;

/** Values of options by name, in camel case. */
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

  /** Of `--no-x`: whether it was given. */
  isOff(name: string): boolean {
    return this.#values[name] === false;
  }
}
