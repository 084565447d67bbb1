import type { Identity } from './credential.ts';
import { eventsOf, type StreamedEvent } from './events.ts';
import { type ExecutionRecord, type RecordedExecution, readExecutionRecord } from './executionRecord.ts';
import { type ExecutionEvent, followExecution, type WaitOptions, waitForExecution } from './executions.ts';
import type { FollowOptions } from './followStream.ts';
import { OPERATIONS } from './operations.ts';
import type { Arguments, Methods, OperationId } from './operationTypes.ts';
import { type Item, type ListId, paginate } from './pages.ts';
import type { AnyProject, ProjectMethods, ProjectTypes } from './projectTypes.ts';
import { type ItemHandler, type WorkCounts, type WorkOptions, work } from './queueWorker.ts';
import type { Given } from './request.ts';
import { type ClientSettings, createTransport, type Send } from './transport.ts';
import { streamTurn, type TurnRequest } from './turns.ts';
import { followWorkspace, type WorkspaceEvent, type WorkspaceFollowOptions } from './workspaceEvents.ts';

export type { components, operations } from './contract.ts';
export type { StreamedEvent } from './events.ts';
export type { ExecutionRecord } from './executionRecord.ts';
export type { ExecutionEvent, WaitedExecution } from './executions.ts';
export { newIdempotencyKey } from './idempotencyKey.ts';
export { OPERATIONS } from './operations.ts';
export type { Answer, Arguments, OperationId } from './operationTypes.ts';
export { type Item, type ListId, nextCursor } from './pages.ts';
export { isProblem, NOT_AN_ANSWER, PerdureProblem, UNREACHABLE } from './problem.ts';
export type { AnyProject, ExecutionId, ProjectTypes } from './projectTypes.ts';
export type { ClaimedItem } from './queueWorker.ts';
export { SignatureError, verifySignature } from './signatures.ts';
export { type BrowserTokens, browserTokens, memoryTokens, type TokenStore, type Tokens } from './tokens.ts';
export type { WorkspaceEvent } from './workspaceEvents.ts';

/** Without an identity, only public operations can be called. */
export type ClientOptions = ClientSettings & Identity;

interface Helpers {
  /** Yields all rows of a list, page after page. */
  paginate<Id extends ListId>(id: Id, given?: Partial<Arguments<Id>>): AsyncGenerator<Item<Id>, void>;
  /** Yields the events of an execution to its end, across lost connections: none is lost or repeated. */
  followExecution(executionId: string, options?: FollowOptions): AsyncGenerator<ExecutionEvent, void>;
  /** Yields changes in the workspace, across lost connections, until the signal is aborted. */
  followWorkspace(options?: WorkspaceFollowOptions): AsyncGenerator<WorkspaceEvent, void>;
  /** Reads the input, steps and output of an execution of a workflow, including large values. */
  readExecutionRecord(execution: RecordedExecution): Promise<ExecutionRecord>;
  /** Sends a message to an agent and yields the chunks of its turn, across lost connections. */
  streamTurn(request: TurnRequest): AsyncGenerator<StreamedEvent, void>;
  /** Claims and processes the items of a queue until the signal is aborted. */
  work(queueId: string, handler: ItemHandler, options?: WorkOptions): Promise<WorkCounts>;
  /** Returns the raw answer: status, headers, body. Streams and downloads are complete this way. */
  send: Send;
}

/** `P` is the `Project` that `perdure types` writes; without it nothing is known of inputs and outputs. */
export type Perdure<P extends ProjectTypes = AnyProject> = Omit<Methods, keyof ProjectMethods<P>> &
  ProjectMethods<P> &
  Helpers;

const SILENT_MS = 45_000;

/** Every method rejects with a PerdureProblem if the API refuses the request. */
export function createClient<P extends ProjectTypes = AnyProject>(options: ClientOptions): Perdure<P> {
  const send = createTransport(options);
  const methods = Object.fromEntries(
    (Object.keys(OPERATIONS) as OperationId[]).map((id) => [id, (given?: Given) => answered(send, id, given)]),
  ) as unknown as Methods;
  // ProjectMethods has the types of these.
  const ofProject = {
    executeWorkflow: ({ workflow, ...given }: Given & { workflow?: string }) =>
      workflow === undefined ? answered(send, 'executeWorkflow', given) : executeBySlug(send, workflow, given),
    waitForExecution: (executionId: string, how?: WaitOptions) => waitForExecution(send, executionId, how),
  };
  const helpers: Helpers = {
    paginate: (id, given) => paginate(send, id, (given ?? {}) as Arguments<typeof id>),
    followExecution: (executionId, how) => followExecution(send, executionId, how),
    followWorkspace: (how) => followWorkspace(send, how),
    readExecutionRecord: (execution) => readExecutionRecord({ ...methods, send }, execution),
    streamTurn: (request) => streamTurn(send, request),
    work: (queueId, handler, how) => work(send, queueId, handler, how),
    send,
  };
  return { ...methods, ...ofProject, ...helpers } as unknown as Perdure<P>;
}

/** Rejects with a TypeError if `workflow` is not `<project>/<slug>`. */
async function executeBySlug(send: Send, workflow: string, given: Given): Promise<unknown> {
  const [projectId, slug, ...more] = workflow.split('/');
  if (!projectId || !slug || more.length > 0) throw new TypeError(`workflow must be <project>/<slug>, not ${workflow}`);
  return answered(send, 'executeWorkflowBySlug', { ...given, path: { projectId, slug } });
}

/** Returns the body: JSON, text, the events of a stream, or the address of a redirect; undefined if there is none. */
async function answered(send: Send, id: OperationId, given: Given = {}): Promise<unknown> {
  const answer = await send(id, given);
  const type = answer.headers.get('content-type') ?? '';
  if (answer.status >= 300) return { location: answer.headers.get('location') };
  if (type.startsWith('text/event-stream')) return events(answer, given.signal);
  const text = await answer.text();
  if (text === '') return undefined;
  return /[/+]json\b/.test(type) ? JSON.parse(text) : text;
}

/** Yields the events of one connection, which ends if it is lost. `followExecution` and `streamTurn` reconnect. */
async function* events(answer: Response, signal: AbortSignal | undefined): AsyncGenerator<StreamedEvent, void> {
  for await (const { event } of eventsOf(answer, SILENT_MS, signal)) if (event.type !== 'heartbeat') yield event;
}
