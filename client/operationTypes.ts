import type { operations } from './contract.ts';
import type { StreamedEvent } from './events.ts';

export type OperationId = keyof operations;

type Part<O, Name extends string> = O extends { parameters: { [N in Name]: infer P } }
  ? { [N in Name]: P }
  : O extends { parameters: { [N in Name]?: infer P } }
    ? [NonNullable<P>] extends [never]
      ? unknown
      : { [N in Name]?: NonNullable<P> }
    : unknown;

type Content<C> = C extends { 'application/json': infer B } ? B : C[keyof C];

type Body<O> = O extends { requestBody: { content: infer C } }
  ? { body: Content<C> }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: Content<C> }
    : unknown;

export interface CallOptions {
  /** Stops the call, or a stream at any time. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** For operations that take one. By default a new key is made; retries reuse it. */
  idempotencyKey?: string;
  /** Time until the whole answer has arrived; for a stream, until it begins. */
  timeoutMs?: number;
}

/** `{path, query, body}` as in the contract. */
export type Arguments<Id extends OperationId> = Part<operations[Id], 'path'> &
  Part<operations[Id], 'query'> &
  Body<operations[Id]> &
  CallOptions;

type Good = 200 | 201 | 202 | 204;

type Answered<C> = C extends { 'text/event-stream': unknown }
  ? AsyncIterable<StreamedEvent>
  : C extends { 'application/json': infer B }
    ? B
    : C[keyof C];

type AnswerOf<R> = { [S in keyof R & Good]: R[S] extends { content: infer C } ? Answered<C> : undefined }[keyof R &
  Good];

/** The body of a successful answer; for a stream, its events. */
export type Answer<Id extends OperationId> = AnswerOf<operations[Id]['responses']>;

export type Methods = {
  [Id in OperationId]: object extends Arguments<Id>
    ? (given?: Arguments<Id>) => Promise<Answer<Id>>
    : (given: Arguments<Id>) => Promise<Answer<Id>>;
};
