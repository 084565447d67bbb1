/** The execution of an activity or a child workflow. Histories contain it: add fields, never change one. */
export interface ExecutionRef {
  workspaceId: string;
  executionId: string;
  /** Absent for an ad-hoc run, whose row contains the definition. */
  versionId?: string;
  /** The workflow or its parent was reset: the rows may be newer than the memory of this process. */
  again?: true;
}
