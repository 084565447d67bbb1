import { type ActionResult, failed, succeeded } from '../activities/apps/executor.ts';
import type { StepCall } from '../activities/stepMock.ts';
import type { Case, CaseEvent, Mock } from '../domain/case/caseFile.ts';
import { type CasePlace, type CaseStep, casePlace, closest, names } from '../domain/case/casePlace.ts';
import { isComputingApp } from '../domain/case/computingApps.ts';
import type { CaseFailure } from '../domain/case/judge.ts';
import { iterationParts } from '../domain/execution/iteration.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Node } from '../domain/workflow/definition.ts';
import { CaseClock } from './caseClock.ts';

interface PlacedMock {
  place: CasePlace;
  /** By attempt; the last mock repeats. */
  mocks: Mock[];
}

interface PlacedEvent {
  place: CasePlace | undefined;
  index: number;
  event: CaseEvent;
}

export interface CaseRunOptions {
  /** Slug of the case's workflow. */
  slug: string;
  given: Case;
  executionId: string;
  workspaceId: string;
  /** Nodes of the case's workflow. A place without a workflow means one of them, or else any workflow. */
  ownNodes: ReadonlySet<string>;
}

export class CaseRun {
  readonly slug: string;
  readonly given: Case;
  readonly executionId: string;
  readonly workspaceId: string;
  readonly ownNodes: ReadonlySet<string>;
  readonly failures: CaseFailure[] = [];
  readonly clock = new CaseClock();
  /** When each execution began, in the case's time. */
  readonly #begun = new Map<string, number>();
  #endedAt: number | undefined;
  readonly #mocks: PlacedMock[];
  readonly #events: PlacedEvent[];
  readonly #calls: { step: CaseStep; inputs: JsonObject }[] = [];
  readonly #over: () => void;
  /** Resolves when the case has ended or nothing more can happen. */
  readonly over: Promise<void>;

  constructor({ slug, given, executionId, workspaceId, ownNodes }: CaseRunOptions) {
    this.slug = slug;
    this.given = given;
    this.executionId = executionId;
    this.workspaceId = workspaceId;
    this.ownNodes = ownNodes;
    const placeOf = (text: string): CasePlace => placeIn(slug, ownNodes, text);
    this.#mocks = Object.entries(given.mocks ?? {}).map(([text, mocks]) => ({
      place: placeOf(text),
      mocks: Array.isArray(mocks) ? mocks : [mocks],
    }));
    this.#events = (given.events ?? []).map((event, index) => ({
      place: event.at === undefined ? undefined : placeOf(event.at),
      index,
      event,
    }));
    let resolve = () => {};
    this.over = new Promise<void>((done) => {
      resolve = done;
    });
    this.#over = () => resolve();
  }

  begins(executionId: string): boolean {
    if (this.#begun.has(executionId)) return false;
    this.#begun.set(executionId, this.clock.now);
    return true;
  }

  beganAt(executionId: string): number {
    return this.#begun.get(executionId) ?? this.clock.now;
  }

  /** An error workflow that follows takes time of its own. */
  ended(): void {
    this.#endedAt ??= this.clock.now;
  }

  get hasEnded(): boolean {
    return this.#endedAt !== undefined;
  }

  /** Milliseconds from the start to the end of the case's execution, or until now. */
  get durationMs(): number {
    return (this.#endedAt ?? this.clock.now) - this.beganAt(this.executionId);
  }

  end(): void {
    this.#over();
  }

  get timed(): PlacedEvent[] {
    return this.#events.filter(({ place }) => place === undefined);
  }

  /** Takes the event that answers a question, or another event that follows it. Each event is taken once. */
  takeEvent(step: CaseStep): PlacedEvent | undefined {
    const found = closest(
      this.#events.filter((each): each is PlacedEvent & { place: CasePlace } => each.place !== undefined),
      step,
    );
    if (found) this.#events.splice(this.#events.indexOf(found), 1);
    return found;
  }

  /** Returns the mocked result of a step; undefined if the step runs for real. */
  mockedResult(workflow: string, { node, iteration, attempt, inputs }: StepCall): ActionResult | undefined {
    const step = { workflow, nodeId: node.id, indices: iterationParts(iteration).map(({ index }) => index) };
    if (attempt === 1) this.#calls.push({ step, inputs });
    const mocks = closest(this.#mocks, step)?.mocks;
    const mock = mocks?.[Math.min(attempt, mocks.length) - 1];
    if (mock) return resultOf(mock);
    if (node.type !== 'action' || isComputingApp(node.appId)) return undefined;
    return this.#unmocked(step, node);
  }

  callsOf(place: CasePlace): JsonObject[] {
    return this.#calls.filter(({ step }) => names(place, step)).map(({ inputs }) => inputs);
  }

  /** All calls, keyed by node id, or `alarm/tell` for a node of another workflow. */
  get calls(): Record<string, Json[]> {
    const all: Record<string, Json[]> = Object.fromEntries([...this.ownNodes].map((id) => [id, []]));
    for (const { step, inputs } of this.#calls) {
      const name = step.workflow === this.slug ? step.nodeId : `${step.workflow}/${step.nodeId}`;
      all[name] = [...(all[name] ?? []), inputs];
    }
    return all;
  }

  #unmocked({ workflow, nodeId, indices }: CaseStep, { appId, actionId }: Node): ActionResult {
    const name = `${workflow === this.slug ? '' : `${workflow}/`}${nodeId}`;
    const at = indices.map((index) => `[${index}]`).join('');
    const message = `UNMOCKED: ${name}${at} calls ${appId}.${actionId}, and mocks has no ${name}`;
    if (!this.failures.some((each) => each.message === message)) this.failures.push({ path: 'mocks', message });
    return failed('UNMOCKED', message);
  }
}

/** Resolves a place without a workflow to the case's own workflow if it has the node. */
export function placeIn(slug: string, ownNodes: ReadonlySet<string>, text: string): CasePlace {
  const place = casePlace(text);
  if (!place) throw new Error(`${text} was no place`);
  return place.workflow === undefined && ownNodes.has(place.nodeId) ? { ...place, workflow: slug } : place;
}

function resultOf({ output, error }: Mock): ActionResult {
  if (!error) return succeeded((output ?? null) as Json);
  const { code, message, retryable, retryAfterMs, details } = error;
  return failed(code, message, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(details === undefined ? {} : { details: details as JsonObject }),
  });
}
