/** A question among all: a node of an execution, in one iteration (iteration.ts; empty outside loops). */
export interface QuestionPlace {
  executionId: string;
  nodeId: string;
  iteration: string;
}

/** The link by which a question is answered, for callers who may read the execution. */
export type LinkOf = (place: QuestionPlace) => string;
