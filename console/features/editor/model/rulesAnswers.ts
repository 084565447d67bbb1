import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Scope } from '../../../../domain/expression/scope.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ProblemDetail } from '../../../../domain/problem.ts';

export interface FunctionHelp {
  name: string;
  signature: string;
  doc: string;
}

export type Evaluated = { value: Json } | { problem: string };

export type RulesQuestion =
  | { ask: 'validate'; definition: unknown }
  | { ask: 'evaluate'; value: Json; scope: string }
  | { ask: 'functions' };

/** Large values that the worker keeps for later questions. */
export type RulesGift = { give: 'catalogue'; apps: AppManifest[] } | { give: 'scope'; name: string; scope: Scope };

export interface RulesAnswers {
  validate: ProblemDetail[];
  evaluate: Evaluated;
  functions: FunctionHelp[];
}

export type RulesMessage = RulesGift | (RulesQuestion & { id: number });
export interface RulesReply {
  id: number;
  answer: unknown;
}
