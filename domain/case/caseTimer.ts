export const CASE_TIMER = 'caseTimer';

export interface CaseEventRef {
  event: number;
}

export interface CaseTimer extends CaseEventRef {
  /** Milliseconds after the start, in the test server's time. */
  afterMs: number;
}

export interface CaseActivities {
  caseEvent(event: CaseEventRef): Promise<void>;
}
