import { NOT_AN_ANSWER, PerdureProblem, UNREACHABLE } from '#client/problem';

/** Exit codes of commands; docs/cli.md lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `plan` found changes. */
  changes: 2,
  stateChanged: 3,
  blocked: 4,
  notFound: 5,
  notAllowed: 6,
  unreachable: 7,
  cancelled: 8,
  timedOut: 9,
  personNeeded: 10,
  interrupted: 130,
  /** As a shell reports SIGPIPE. */
  readerGone: 141,
} as const;

export class Usage extends Error {
  override readonly name = 'Usage';
}

export class Ended extends Error {
  override readonly name = 'Ended';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Usage) return EXIT.usage;
  if (error instanceof Ended) return error.exitCode;
  if (error instanceof Error && error.name === 'TimeoutError') return EXIT.timedOut;
  if (error instanceof PerdureProblem) return ofProblem(error);
  return EXIT.failed;
}

const BY_STATUS: Record<number, number> = {
  0: EXIT.unreachable,
  400: EXIT.blocked,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  429: EXIT.unreachable,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
};

function ofProblem({ status, code }: PerdureProblem): number {
  if (code === 'PLAN_CHANGED') return EXIT.stateChanged;
  if (code === UNREACHABLE || code === NOT_AN_ANSWER) return EXIT.unreachable;
  return BY_STATUS[status] ?? EXIT.failed;
}

const BY_EXECUTION: Record<string, number> = {
  COMPLETED: EXIT.done,
  FAILED: EXIT.failed,
  CANCELLED: EXIT.cancelled,
  TIMED_OUT: EXIT.timedOut,
};

export function hasEnded(status: string): boolean {
  return Object.hasOwn(BY_EXECUTION, status);
}

export function exitCodeOfStatus(status: string): number {
  return BY_EXECUTION[status] ?? EXIT.failed;
}
