import type { operations } from './contract.ts';
import type { StreamedEvent } from './events.ts';

/** Names of the contract's operations. */
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

/** What any call may say besides. */
export interface CallOptions {
  /** Stops the call, and a stream at any time. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** For operations that take one; made where it is absent, and kept over retries. */
  idempotencyKey?: string;
  /** Until the whole answer is there; of a stream, until it begins. */
  timeoutMs?: number;
}

/** `{path, query, body}` as the contract has them. */
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

/** The body of a good answer; of a stream its events. */
export type Answer<Id extends OperationId> = AnswerOf<operations[Id]['responses']>;

/** One method an operation. */
export type Methods = {
  [Id in OperationId]: object extends Arguments<Id>
    ? (given?: Arguments<Id>) => Promise<Answer<Id>>
    : (given: Arguments<Id>) => Promise<Answer<Id>>;
};
