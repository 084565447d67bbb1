import type { Request, Response } from 'express';
import type { FairGate } from '../../engine/fairGate.ts';
import type { RequestRates } from '../limits/requestRates.ts';
import type { Route } from '../openapi.ts';
import type { Caller, EventStream, JsonRows, Told } from '../operation.ts';
import type { Services } from '../services.ts';
import type { CheckedRequest, ContractCheck } from './contract.ts';
import type { BodyReader } from './jsonBody.ts';
import type { Reply } from './reply.ts';

/** A request on its way: what came, what its route says, and what the stages before have made of it. */
export interface Call extends CheckedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly route: Route;
  readonly services: Services;
  readonly check: ContractCheck;
  readonly readBody: BodyReader;
  readonly rates: RequestRates;
  /** Places for reads, shared by workspaces. */
  readonly reads: FairGate;
  readonly requestId: string;
  /** Aborted when the caller goes away before the answer is written. */
  readonly signal: AbortSignal;
  /** Undefined on public routes, and before the stage `credential`. */
  caller: Caller | undefined;
  rawBody: Buffer;
  /** Of what a POST makes: given at first, and by the stage `once` to a second try the same again. */
  resourceId: string;
  /** Filled by public operations. */
  readonly told: Told;
  /** What the operation has answered; undefined before. */
  answered: unknown;
  /** The audit log has an entry of it. */
  isRecorded: boolean;
}

export type StageResult = Reply | EventStream | JsonRows;

/** One part of what every request goes through. It throws a Problem, or answers what `next`, the stages after it, answer. */
export type Stage = (call: Call, next: () => Promise<StageResult>) => Promise<StageResult>;

/** The first stage around the second, and so on; the last around `operate`. */
export function through(
  stages: readonly Stage[],
  call: Call,
  operate: () => Promise<StageResult>,
): Promise<StageResult> {
  const [stage, ...others] = stages;
  return stage ? stage(call, () => through(others, call, operate)) : operate();
}
