import type { JsonObject } from '../json.ts';

/** The one argument of an action that runs outside Perdure: on a worker, behind HTTP, or in the runner. */
export interface WireCall<Connection = unknown> {
  inputs: JsonObject;
  call: {
    executionId: string;
    stepId: string;
    attempt: number;
    /** The same in each attempt and in retries until the step has completed with these inputs. */
    idempotencyKey: string;
    /** W3C Trace Context; absent in a node test. */
    traceparent?: string;
    /** Its form depends on the place: a single-use token for workers, credentials for the runner. */
    connection?: Connection;
  };
}
