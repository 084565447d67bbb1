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

export interface Call extends CheckedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly route: Route;
  readonly services: Services;
  readonly check: ContractCheck;
  readonly readBody: BodyReader;
  readonly rates: RequestRates;
  readonly reads: FairPlaces;
  readonly streamPlaces: StreamPlaces;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Undefined on public routes, and before the stage `credential`. */
  caller: Caller | undefined;
  rawBody: Buffer;
  /** Id of the resource that a POST creates; the stage `once` keeps it for retries. */
  resourceId: string;
  isRepeated: boolean;
  readonly idempotencyKey: string | undefined;
  expected: Expected | undefined;
  readonly auditDetails: AuditDetails;
  answered: unknown;
  isRecorded: boolean;
}

export type StageResult = Reply | EventStream | JsonRows;

/** A stage throws a Problem, or returns the result of `next`, the later stages. */
export type Stage = (call: Call, next: () => Promise<StageResult>) => Promise<StageResult>;

/** Nests the stages; the last one wraps `operate`. */
export function runStages(
  stages: readonly Stage[],
  call: Call,
  operate: () => Promise<StageResult>,
): Promise<StageResult> {
  const [stage, ...others] = stages;
  return stage ? stage(call, () => runStages(others, call, operate)) : operate();
}
