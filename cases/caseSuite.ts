import type { Case } from '../domain/case/caseFile.ts';
import type { Coverage } from '../domain/case/coverage.ts';

/** A resource of a project's folder: its kind, its slug, and the fields of its upsert. */
export interface CaseResource {
  kind: string;
  slug: string;
  [field: string]: unknown;
}

/** A case of a file. */
export interface SuiteCase {
  /** Slug. */
  workflow: string;
  case: Case;
}

/** What is run together: the project, and cases of its workflows. */
export interface CaseSuite {
  resources: CaseResource[];
  cases: SuiteCase[];
}

export interface CaseResult {
  workflow: string;
  name: string;
  status: 'passed' | 'failed';
  /** What was expected, and what was seen. */
  problems: string[];
  /** Of the machine's time. */
  durationMs: number;
}

export interface CaseReport {
  passed: number;
  failed: number;
  cases: CaseResult[];
  /** By slug, of all workflows that have cases. */
  coverage: Record<string, Coverage>;
}
