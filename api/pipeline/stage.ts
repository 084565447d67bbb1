import type { Request, Response } from 'express';
import type { FairPlaces } from '../../engine/fairness/fairPlaces.ts';
import type { Expected } from '../../prisma/store/rowTag.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestRates } from '../limits/requestRates.ts';
import type { StreamPlaces } from '../limits/streamPlaces.ts';
import type { Route } from '../openapi.ts';
import type { AuditDetails, EventStream, JsonRows } from '../operation.ts';
import type { Services } from '../services.ts';
import type { CheckedRequest, ContractCheck } from './contract.ts';
import type { BodyReader } from './jsonBody.ts';
import type { Reply } from './reply.ts';

/** A request in the pipeline: the input, its route, and the results of the earlier stages. */
export interface Call extends CheckedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly route: Route;
  readonly services: Services;
  readonly check: ContractCheck;
  readonly readBody: BodyReader;
  readonly rates: RequestRates;
  /** Places for reads, shared by workspaces. */
  readonly reads: FairPlaces;
  readonly streamPlaces: StreamPlaces;
  readonly requestId: string;
  /** Aborted when the caller goes away before the answer is written. */
  readonly signal: AbortSignal;
  /** Undefined on public routes, and before the stage `credential`. */
  caller: Caller | undefined;
  rawBody: Buffer;
  /** Id of the resource that a POST creates; the stage `once` gives the same id to a retry. */
  resourceId: string;
  /** The stage `once` has found an earlier try without an answer. */
  isRepeated: boolean;
  /** How the resource has to be for its write; the stage `conditional` reads it. */
  expected: Expected | undefined;
  /** Filled by public operations, and by those that concern another workspace too. */
  readonly auditDetails: AuditDetails;
  /** The value of the operation; undefined before it ends. */
  answered: unknown;
  /** The audit log has an entry of it. */
  isRecorded: boolean;
}

export type StageResult = Reply | EventStream | JsonRows;

/** One stage of the pipeline. It throws a Problem, or returns the result of `next`, the later stages. */
export type Stage = (call: Call, next: () => Promise<StageResult>) => Promise<StageResult>;

/** The first stage around the second, and so on; the last around `operate`. */
export function runStages(
  stages: readonly Stage[],
  call: Call,
  operate: () => Promise<StageResult>,
): Promise<StageResult> {
  const [stage, ...others] = stages;
  return stage ? stage(call, () => runStages(others, call, operate)) : operate();
}
