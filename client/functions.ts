/** A field of an action's inputs, as in forms and manifests. */
export interface ActionField {
  key: string;
  type: 'text' | 'longText' | 'number' | 'boolean' | 'date' | 'select' | 'multiSelect' | 'json' | 'secret';
  /** Default: the key. */
  label?: string;
  required?: boolean;
  default?: unknown;
  /** For select and multiSelect. */
  options?: readonly { value: string; label: string }[];
  help?: string;
}

type OptionOf<F> = F extends { options: readonly (infer Option)[] }
  ? Option extends { value: infer Value extends string }
    ? Value
    : string
  : string;

type ValueOf<F extends ActionField> = F['type'] extends 'number'
  ? number
  : F['type'] extends 'boolean'
    ? boolean
    : F['type'] extends 'json'
      ? unknown
      : F['type'] extends 'select'
        ? OptionOf<F>
        : F['type'] extends 'multiSelect'
          ? OptionOf<F>[]
          : string;

/** A field is always there if it is required or has a default. */
type IsThere<F> = F extends { required: true } | { default: unknown } ? true : false;

export type InputsOf<Fields extends readonly ActionField[]> = {
  [F in Fields[number] as IsThere<F> extends true ? F['key'] : never]: ValueOf<F>;
} & {
  [F in Fields[number] as IsThere<F> extends true ? never : F['key']]?: ValueOf<F>;
};

export interface FunctionCall {
  executionId: string;
  stepId: string;
  /** Counts from 1. */
  attempt: number;
  /** The same in each attempt of the step: send it to services, so that they do the work once. */
  idempotencyKey: string;
  traceparent: string;
  /** The credentials of the step's connection, by the keys of its fields. */
  connection?: { type: string; credentials: Record<string, string> };
  /** Aborted when the step is cancelled or out of time. The process is killed shortly after that. */
  signal: AbortSignal;
}

/** A thrown error with these members becomes the failure of the step. */
export interface ActionError extends Error {
  /** Capital letters, digits and underscores. Default: CODE_THREW. */
  code?: string;
  /** True if another attempt may succeed. */
  retryable?: boolean;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
}

export interface ActionDefinition<Fields extends readonly ActionField[], Output> {
  name: string;
  description?: string;
  inputs?: { fields: Fields };
  /** The strongest effect outside of Perdure. Default: `write`. */
  effect?: 'read' | 'write' | 'destructive';
  /** An attempt whose answer was lost may run again. Default: false; a `read` always may. */
  repeatable?: boolean;
  /** The step must choose a connection of the app. Default: false. */
  requiresConnection?: boolean;
  outputExample?: unknown;
  outputSchema?: Record<string, unknown>;
  /** Per attempt. */
  timeoutMs?: number;
  run(inputs: InputsOf<Fields>, call: FunctionCall): Output | Promise<Output>;
}

const ACTION: unique symbol = Symbol.for('perdure.action') as never;

export type DefinedAction<Fields extends readonly ActionField[], Output> = ActionDefinition<Fields, Output> & {
  readonly [ACTION]: true;
};

/** Defines an action of the app that the file is. Its id is the name of the export. */
export function defineAction<const Fields extends readonly ActionField[] = [], Output = unknown>(
  definition: ActionDefinition<Fields, Output>,
): DefinedAction<Fields, Output> {
  return { ...definition, [ACTION]: true };
}
