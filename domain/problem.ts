import type { Json } from './json.ts';
import { inPath } from './place.ts';
import type { CheckCode, Severity } from './workflow/checkCodes.ts';

/** Codes are added, never renamed. */
export const PROBLEMS = {
  VALIDATION_FAILED: { status: 400, title: 'The request is not valid' },
  INVALID_TRANSITION: { status: 400, title: 'The transition is not allowed' },
  RETRY_NOT_ALLOWED: { status: 400, title: 'The retry is not allowed' },
  MISSING_INPUT: { status: 400, title: 'Required input is missing' },
  CONNECTION_REQUIRED: { status: 400, title: 'A connection is required' },
  INTERACTIVE_CONNECTION: { status: 400, title: 'The connection type needs a browser' },
  WORKFLOW_NOT_EXECUTABLE: { status: 400, title: 'The workflow cannot be executed' },
  EXPRESSION_LIMIT: { status: 400, title: 'The evaluation exceeds its limits' },
  UNKNOWN_ATTRIBUTES: { status: 400, title: 'The entity type has no such attributes' },
  REASON_REQUIRED: { status: 400, title: 'The move needs a reason' },
  MISSING_FIELDS: { status: 400, title: 'Fields that the state requires are empty' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication is required' },
  CONFIRMATION_REQUIRED: { status: 401, title: 'Confirm your identity' },
  FORBIDDEN: { status: 403, title: 'The permission is missing' },
  SSO_REQUIRED: { status: 403, title: 'Single sign-on is required' },
  PASSWORD_LOGIN_DISABLED: { status: 403, title: 'Logins by password are disabled' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long' },
  CONFLICT: { status: 409, title: 'The request conflicts with the current state' },
  ALREADY_RETRIED: { status: 409, title: 'The execution has already been retried' },
  IN_USE: { status: 409, title: 'The resource is in use' },
  PLAN_CHANGED: { status: 409, title: 'The state has changed since the plan' },
  LEASE_LOST: { status: 409, title: 'The lease is lost' },
  MANAGED_BY_CODE: { status: 409, title: 'The resource is managed by code' },
  NOT_PUBLISHED: { status: 409, title: 'The workflow is not published' },
  RUNNER_OFF: { status: 409, title: 'The runner is off' },
  PRECONDITION_FAILED: { status: 412, title: 'The resource is not as expected' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The media type is not supported' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  INTERNAL: { status: 500, title: 'Internal error' },
  EXECUTION_FAILED: { status: 500, title: 'The execution failed' },
  TURN_FAILED: { status: 502, title: 'The turn of the agent failed' },
  EMBEDDING_FAILED: { status: 502, title: 'The text could not be embedded' },
  OPTIONS_FAILED: { status: 502, title: 'The options could not be loaded' },
  ENGINE_UNAVAILABLE: { status: 503, title: 'The engine is not available' },
  DATABASE_UNAVAILABLE: { status: 503, title: 'The database is not available' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One error and its place, e.g. `{path: 'nodes[2].inputs.url', message: 'expected text'}`. */
export interface ProblemDetail {
  path: string;
  message: string;
  nodeId?: string;
  /** Only problems of a definition have one; default: INVALID. */
  code?: CheckCode;
  /** Default: error. */
  severity?: Severity;
  fix?: ProblemFix;
  /** The place inside the text at `path`, for code of several lines; both count from 1. */
  line?: number;
  column?: number;
}

/** Solves a problem by setting the values at these places. `label` completes the sentence "Fix: …". */
export interface ProblemFix {
  label: string;
  edits: { path: string; value: Json }[];
}

/** Returns a problem of the value at `outer` as one of the whole body. */
export function problemIn(outer: string, { path, fix, ...others }: ProblemDetail): ProblemDetail {
  const edits = fix?.edits.map((edit) => ({ ...edit, path: inPath(outer, edit.path) }));
  return { path: inPath(outer, path), ...others, ...(fix && edits ? { fix: { label: fix.label, edits } } : {}) };
}

export function isError({ severity }: Pick<ProblemDetail, 'severity'>): boolean {
  return severity !== 'warning';
}

export interface ProblemExtras {
  errors?: ProblemDetail[];
  members?: Record<string, unknown>;
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
  /** For a 401: the WWW-Authenticate header, if not the default one. */
  challenge?: string;
  allow?: string;
  cause?: unknown;
}

/** The only kind of error that callers see. api/pipeline/problem.ts converts it to RFC 9457. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: ProblemDetail[] | undefined;
  readonly members: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;
  readonly challenge: string | undefined;
  readonly allow: string | undefined;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = extras.errors;
    this.members = extras.members;
    this.retryAfter = extras.retryAfter;
    this.challenge = extras.challenge;
    this.allow = extras.allow;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}
