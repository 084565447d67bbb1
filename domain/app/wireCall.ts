import type { JsonObject } from '../json.ts';

/** The one argument of an action that runs outside Perdure: on a worker, behind HTTP, or in the runner. */
export interface WireCall<Connection> {
  inputs: JsonObject;
  call: {
    executionId: string;
    stepId: string;
    attempt: number;
    /** The same in each attempt and in retries until the step has completed with these inputs. */
    idempotencyKey: string;
    /** W3C Trace Context; absent in a node test. */
    traceparent?: string;
    /** A single-use token for credentials where the call leaves Perdure, the credentials in the runner. */
    connection?: Connection;
  };
}
