export const CASE_TIMER = 'caseTimer';

/** An event at a point in time of a case, by its index in the run's list of events. */
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
