export const CASE_TIMER = 'caseTimer';

/** What happens in a case of a test at a time, by its number in the run's list of events. */
export interface CaseEventRef {
  event: number;
}

export interface CaseTimer extends CaseEventRef {
  /** Milliseconds of the server's time from its start. */
  afterMs: number;
}

export interface CaseActivities {
  caseEvent(event: CaseEventRef): Promise<void>;
}
