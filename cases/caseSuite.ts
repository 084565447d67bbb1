import type { Case } from '../domain/case/caseFile.ts';
import type { Coverage } from '../domain/case/coverage.ts';

export interface CaseResource {
  kind: string;
  slug: string;
  [field: string]: unknown;
}

export interface SuiteCase {
  workflow: string;
  case: Case;
}

export interface CaseSuite {
  resources: CaseResource[];
  cases: SuiteCase[];
}

export interface CaseResult {
  workflow: string;
  name: string;
  status: 'passed' | 'failed';
  problems: string[];
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
