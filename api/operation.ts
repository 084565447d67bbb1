import type { Readable } from 'node:stream';
import type { Reading } from '../engine/fairness/fairPlaces.ts';
import type { AuditActor } from '../prisma/store/audit/entries.ts';
import type { Expected } from '../prisma/store/rowTag.ts';
import type { Caller } from './access/caller.ts';
import type { operations } from './contract.ts';
import type { Services } from './services.ts';

type Part<T, K extends PropertyKey> = T extends { [key in K]?: infer V } ? NonNullable<V> : Record<string, never>;
type Parameters<Id extends keyof operations> = operations[Id]['parameters'];
type Body<Id extends keyof operations> =
  NonNullable<operations[Id]['requestBody']> extends { content: infer C } ? C[keyof C] : undefined;

export interface AuditDetails {
  workspaceId?: string;
  actor?: AuditActor | null;
  resourceId?: string;
  /** The user named in a login; a refusal is recorded in one of their workspaces. */
  email?: string;
  /** The workspace of the login, whose log gets the refusal if the user is a member. */
  askedFor?: string | undefined;
  /** True for operations without a login, recorded in the home workspace of the user with this address. */
  isOfEmail?: boolean;
}

/** A request, checked against openapi.yaml before the operation sees it. */
export interface OperationRequest<Id extends keyof operations> {
  params: Part<Parameters<Id>, 'path'>;
  query: Part<Parameters<Id>, 'query'>;
  body: Body<Id>;
  headers: Record<string, string | undefined>;
  /** The unparsed body, for signatures; empty if there is none. */
  rawBody: Buffer;
  method: string;
  /** The caller's address; `TRUST_PROXY` says which proxies may name it. */
  ip: string;
  requestId: string;
  /** The id of the resource that a POST creates, equal for all tries with an Idempotency-Key. */
  resourceId: string;
  /** Whether an earlier try with the same Idempotency-Key may have succeeded without an answer. */
  isRepeated: boolean;
  /** The required state of the resource (If-Match). */
  expected: Expected | undefined;
  /** For the audit log: filled in by public operations, and by those that concern another workspace. */
  auditDetails: AuditDetails;
  signal: AbortSignal;
  /** Limits reads of operations other than GET, which wait among the reads of all workspaces. */
  reading: Reading;
  services: Services;
}

/** An operation that requires a credential. Tests check its answers against openapi.yaml. */
export type Operation<Id extends keyof operations> = (
  request: OperationRequest<Id> & { caller: Caller },
) => Promise<unknown>;

export type PublicOperation<Id extends keyof operations> = (request: OperationRequest<Id>) => Promise<unknown>;

/** An answer other than a JSON value with the operation's success status. */
export class Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  /** JSON, or bytes or text according to `content-type`; undefined for an empty body. */
  readonly body: unknown;

  constructor(body: unknown, more: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** A `text/event-stream`. The pipeline ends it when the caller loses access, and destroys it on disconnect. */
export class EventStream {
  readonly events: Readable;
  readonly headers: Record<string, string>;
  /** Whether the caller may still read it, in addition to the operation's permission. */
  readonly isAllowed: (caller: Caller) => Promise<boolean>;

  constructor(
    events: Readable,
    headers: Record<string, string> = {},
    isAllowed: (caller: Caller) => Promise<boolean> = async () => true,
  ) {
    this.events = events;
    this.headers = headers;
    this.isAllowed = isAllowed;
  }
}

/** A JSON array of any length, sent in batches while it is read. */
export class JsonRows {
  readonly batches: AsyncIterable<readonly unknown[]>;

  constructor(batches: AsyncIterable<readonly unknown[]>) {
    this.batches = batches;
  }
}

/** A page of a list: a JSON array, and `Link: <…>; rel="next"` if there are more pages. */
export class Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;

  constructor(items: readonly unknown[], nextCursor: string | undefined) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}
