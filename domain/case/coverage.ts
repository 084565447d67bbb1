import type { StepStatus } from '../execution/status.ts';
import type { Definition, Edge, OnError } from '../workflow/definition.ts';

/** The coverage of one workflow over all cases. Error routes are counted separately from other edges. */
export interface Coverage {
  nodes: number;
  nodesRun: number;
  edges: number;
  edgesTaken: number;
  errorRoutes: number;
  errorRoutesTaken: number;
}

export interface CoveredStep {
  nodeId: string;
  status: StepStatus;
  /** The handle through which it left; null for the default one. */
  handle: string | null;
}

export class CoverageOf {
  readonly #graph: Pick<Definition, 'nodes' | 'edges'>;
  readonly #run = new Set<string>();
  readonly #taken = new Set<number>();
  readonly #onError: ReadonlyMap<string, OnError | undefined>;

  constructor(graph: Pick<Definition, 'nodes' | 'edges'>) {
    this.#graph = graph;
    this.#onError = new Map(graph.nodes.map(({ id, onError }) => [id, onError]));
  }

  /** Adds the steps of one execution. Pass only steps that began. */
  add(steps: readonly CoveredStep[]): void {
    for (const { nodeId } of steps) this.#run.add(nodeId);
    for (const [index, edge] of this.#graph.edges.entries()) {
      if (edge.source === 'trigger' || steps.some((step) => this.#isTaken(edge, step))) this.#taken.add(index);
    }
  }

  #isTaken({ source, sourceHandle }: Edge, { nodeId, status, handle }: CoveredStep): boolean {
    if (source !== nodeId) return false;
    const onError = this.#onError.get(nodeId);
    if (status === 'FAILED') return onError === (sourceHandle === 'error' ? 'route' : 'continue');
    return status === 'COMPLETED' && (sourceHandle ?? null) === handle;
  }

  get counts(): Coverage {
    const { nodes, edges } = this.#graph;
    const plain = edges.map(isErrorRoute).flatMap((isError, index) => (isError ? [] : [index]));
    const errors = edges.map(isErrorRoute).flatMap((isError, index) => (isError ? [index] : []));
    const taken = (indices: number[]) => indices.filter((index) => this.#taken.has(index)).length;
    return {
      nodes: nodes.length,
      nodesRun: nodes.filter(({ id }) => this.#run.has(id)).length,
      edges: plain.length,
      edgesTaken: taken(plain),
      errorRoutes: errors.length,
      errorRoutesTaken: taken(errors),
    };
  }
}

function isErrorRoute({ sourceHandle }: Edge): boolean {
  return sourceHandle === 'error';
}
