import type { Case } from '../domain/case/caseFile.ts';
import type { Coverage } from '../domain/case/coverage.ts';
import type { CaseFailure } from '../domain/case/judge.ts';

export interface CaseResource {
  kind: string;
  slug: string;
  [field: string]: unknown;
}

export interface SuiteCase {
  workflow: string;
  /** Path of the file in the folder. */
  file: string;
  /** Its position among the cases of the file. */
  index: number;
  case: Case;
}

export interface CaseSuite {
  resources: CaseResource[];
  cases: SuiteCase[];
}

export interface CaseResult {
  workflow: string;
  name: string;
  file: string;
  index: number;
  status: 'passed' | 'failed';
  failures: CaseFailure[];
  /** In the machine's time. */
  durationMs: number;
}

export interface CaseReport {
  passed: number;
  failed: number;
  cases: CaseResult[];
  /** By slug, for all workflows that have cases. */
  coverage: Record<string, Coverage>;
}
