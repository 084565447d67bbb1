/**
 * The only reducer of an execution's progress. The workflow and the activity that runs a region of inline nodes both
 * use it, so they always agree on the next steps.
 *
 *     trigger ──► a ──true──► b ──┐
 *                 └──false─► c ──►d      a takes `true`: edge a→b is taken, a→c is not, c is SKIPPED,
 *                                        so both edges of d are decided and one is taken: d is ready.
 */
import { ownMember, setKey } from '../ownMember.ts';
import { TRIGGER_ID } from '../workflow/definition.ts';
import type { Plan, PlanEdge, PlanNode } from '../workflow/plan.ts';
import { planIndex, planNode, successors } from '../workflow/planIndex.ts';
import type { Outcome } from './outcome.ts';
import type { Ending, NodeProgress, Progress } from './progress.ts';

type EdgeState = 'undecided' | 'taken' | 'untaken';

function edgeState(edge: PlanEdge, nodes: Progress['nodes']): EdgeState {
  if (edge.from === TRIGGER_ID) return 'taken';
  const source = ownMember(nodes, edge.from);
  if (source === undefined || source.status === 'OPEN') return 'undecided';
  if (source.status === 'SKIPPED') return 'untaken';
  return source.handle === edge.handle ? 'taken' : 'untaken';
}

/** A node without an incoming edge starts at once, as if the trigger led to it. */
function joinState(plan: Plan, nodeId: string, nodes: Progress['nodes']): EdgeState {
  const incoming = planIndex(plan).incoming.get(nodeId) ?? [];
  if (incoming.length === 0) return 'taken';
  const states = incoming.map((edge) => edgeState(edge, nodes));
  if (states.includes('undecided')) return 'undecided';
  return states.includes('taken') ? 'taken' : 'untaken';
}

/** Returns the nodes to begin: all incoming edges are decided, one was taken. Empty once the execution has ended. */
export function ready(plan: Plan, progress: Progress): PlanNode[] {
  if (progress.ended) return [];
  return plan.nodes.filter(
    (node) => ownMember(progress.nodes, node.id) === undefined && joinState(plan, node.id, progress.nodes) === 'taken',
  );
}

export function begin(progress: Progress, nodeIds: readonly string[]): Progress {
  const nodes: Record<string, NodeProgress> = { ...progress.nodes };
  for (const nodeId of nodeIds) if (!Object.hasOwn(nodes, nodeId)) setKey(nodes, nodeId, { status: 'OPEN' });
  return { ...progress, nodes };
}

export function openNodes(progress: Progress): string[] {
  return Object.keys(progress.nodes).filter((nodeId) => ownMember(progress.nodes, nodeId)?.status === 'OPEN');
}

/** Applies an outcome to the progress. An outcome of a node that is already decided changes nothing. */
export function apply(plan: Plan, progress: Progress, outcome: Outcome): Progress {
  const { nodeId } = outcome;
  const before = ownMember(progress.nodes, nodeId);
  if (progress.ended || (before !== undefined && before.status !== 'OPEN')) return progress;

  const nodes: Record<string, NodeProgress> = { ...progress.nodes };
  switch (outcome.status) {
    case 'RETRYING':
    case 'NEEDS_INPUT':
    case 'WAITING':
    case 'RECONNECT':
    case 'LOOPING':
    case 'CHILD':
    case 'TURN':
    case 'WORKER':
      setKey(nodes, nodeId, { status: 'OPEN' });
      return { nodes };
    case 'STOPPED': {
      const { stop, ...at } = outcome.at;
      return { nodes, ended: { status: stopStatus(stop), ...at, stop: true } };
    }
    case 'COMPLETED':
      setKey(nodes, nodeId, decided('COMPLETED', outcome.handle));
      if (outcome.stop) return { nodes, ended: { status: stopStatus(outcome.stop), nodeId, stop: true } };
      break;
    case 'FAILED': {
      const { onError } = planNode(plan, nodeId);
      if (onError === undefined) {
        setKey(nodes, nodeId, { status: 'FAILED' });
        return { nodes, ended: { status: 'FAILED', nodeId, stop: false } };
      }
      setKey(nodes, nodeId, decided('FAILED', onError === 'route' ? 'error' : undefined));
      break;
    }
  }
  skipDownstream(plan, nodeId, nodes);
  return { nodes };
}

function decided(status: 'COMPLETED' | 'FAILED', handle: string | undefined): NodeProgress {
  return handle === undefined ? { status } : { status, handle };
}

function stopStatus(stop: 'completed' | 'failed'): 'COMPLETED' | 'FAILED' {
  return stop === 'completed' ? 'COMPLETED' : 'FAILED';
}

/** Skips nodes whose incoming edges are all decided and not taken, and continues downstream. */
function skipDownstream(plan: Plan, from: string, nodes: Record<string, NodeProgress>): void {
  const pending = successors(plan, from);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Object.hasOwn(nodes, next) || joinState(plan, next, nodes) !== 'untaken') continue;
    setKey(nodes, next, { status: 'SKIPPED' });
    pending.push(...successors(plan, next));
  }
}

/** Returns how the execution ends; undefined while it continues. `ended` counts even while branches are open. */
export function ending(plan: Plan, progress: Progress): Ending | undefined {
  if (progress.ended) return progress.ended;
  if (openNodes(progress).length > 0 || ready(plan, progress).length > 0) return undefined;
  return { status: 'COMPLETED', endNodes: endNodes(plan, progress) };
}

/** Returns completed nodes without a taken outgoing edge, in the plan's order: their outputs form the output. */
function endNodes(plan: Plan, progress: Progress): string[] {
  return plan.nodes
    .map((node) => node.id)
    .filter(
      (id) => ownMember(progress.nodes, id)?.status === 'COMPLETED' && !successorsTaken(plan, id, progress.nodes),
    );
}

function successorsTaken(plan: Plan, nodeId: string, nodes: Progress['nodes']): boolean {
  return (planIndex(plan).outgoing.get(nodeId) ?? []).some((edge) => edgeState(edge, nodes) === 'taken');
}
