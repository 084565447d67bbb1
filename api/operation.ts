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
  /** The workspace of the login or of the operation, where it is not the caller's. */
  workspaceId?: string;
  actor?: AuditActor | null;
  /** Id of the resource of the operation. */
  resourceId?: string;
  /** The person named in a login: a refusal is recorded in one workspace of theirs. */
  email?: string;
  /** The workspace that the login is to: its log has the refusal, if the person is a member. */
  askedFor?: string | undefined;
  /** The address of an operation without a login: it is recorded in the home workspace of the person with this address. */
  isOfEmail?: boolean;
}

/** A request as a value: checked against openapi.yaml before the operation sees it. */
export interface OperationRequest<Id extends keyof operations> {
  params: Part<Parameters<Id>, 'path'>;
  query: Part<Parameters<Id>, 'query'>;
  body: Body<Id>;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  /** The body as it came, for signatures; empty where there is none. */
  rawBody: Buffer;
  method: string;
  /** The caller's address, as `TRUST_PROXY` lets a proxy name it. */
  ip: string;
  requestId: string;
  /** The id for the resource that a POST creates; the same for each try under an Idempotency-Key. */
  resourceId: string;
  /** An earlier try under the same Idempotency-Key may have done it, and not have answered. */
  isRepeated: boolean;
  /** How the resource has to be for its write (If-Match). */
  expected: Expected | undefined;
  /** Filled in by a public operation, and by one that concerns another workspace too: the caller and the resource, for the audit log. */
  auditDetails: AuditDetails;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** Of an operation that is no GET: its reads wait for their turn among the reads of all workspaces. */
  reading: Reading;
  services: Services;
}

/** An operation that needs a credential. The answer's shape is checked against openapi.yaml by the tests. */
export type Operation<Id extends keyof operations> = (
  request: OperationRequest<Id> & { caller: Caller },
) => Promise<unknown>;

/** An operation under `security: []`. */
export type PublicOperation<Id extends keyof operations> = (request: OperationRequest<Id>) => Promise<unknown>;

/** An answer that is more than a JSON value with the operation's success status. */
export class Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string>;
  /** JSON, or bytes or text when `content-type` among the headers says so; undefined: empty. */
  readonly body: unknown;

  constructor(body: unknown, more: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** An answer of `text/event-stream`. The pipeline pipes it, ends it when the caller may not read it any more, and destroys it when the caller goes away. */
export class EventStream {
  readonly events: Readable;
  readonly headers: Record<string, string>;
  /** Beyond the operation's permission: whether the caller, as it is now, may still read it. */
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

/** A JSON array that is sent while it is read, however long it is: a batch of its items at a time. */
export class JsonRows {
  readonly batches: AsyncIterable<readonly unknown[]>;

  constructor(batches: AsyncIterable<readonly unknown[]>) {
    this.batches = batches;
  }
}

/** A page of a list: a bare JSON array, and `Link: <…>; rel="next"` when there is more. */
export class Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;

  constructor(items: readonly unknown[], nextCursor: string | undefined) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}
