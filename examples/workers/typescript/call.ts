/** The one argument that Perdure sends. */
export interface Argument<Inputs> {
  inputs: Inputs;
  call: {
    executionId: string;
    stepId: string;
    attempt: number;
    /** The same in each attempt of a step. */
    idempotencyKey: string;
    traceparent?: string;
    /** A token for the credentials of the step's connection. */
    connection?: string;
  };
}

export interface Charge {
  chargeId: string;
  amount: number;
}
