import pLimit from 'p-limit';
import { v7 } from 'uuid';
import { CoverageOf } from '../domain/case/coverage.ts';
import type { Definition } from '../domain/workflow/definition.ts';
import type { Say } from '../embedded/say.ts';
import { findTestServer } from '../embedded/testServer.ts';
import { caseActivities } from './caseActivities.ts';
import { CaseBook } from './caseBook.ts';
import { CaseEvents } from './caseEvents.ts';
import { startCasePlatform } from './casePlatform.ts';
import { CaseProjects } from './caseProjects.ts';
import { CaseRun } from './caseRun.ts';
import type { CaseReport, CaseResource, CaseResult, CaseSuite } from './caseSuite.ts';
import { runCase } from './runCase.ts';
import { installVirtualDate } from './virtualDate.ts';

const AT_ONCE = 8;

/** Throws the product's problem if the folder is invalid, and the signal's reason when it is aborted. */
export async function runCases({ resources, cases }: CaseSuite, say: Say, signal: AbortSignal): Promise<CaseReport> {
  const testServer = await findTestServer(process.env, say);
  const book = new CaseBook();
  const events = new CaseEvents();
  const undoDate = installVirtualDate();
  const platform = await startCasePlatform({
    testServer,
    say,
    activities: (services) => caseActivities(services, { book, ...events.hostOn(() => platform) }),
  });
  const limit = pLimit(AT_ONCE);
  try {
    signal.throwIfAborted();
    say(`running ${cases.length === 1 ? '1 case' : `${cases.length} cases`} …`);
    const graphs = graphsOf(resources);
    const projects = new CaseProjects(platform, resources);
    const coverage = new Map(cases.map(({ workflow }) => [workflow, new CoverageOf(graphOf(graphs, workflow))]));
    const all = Promise.all(
      cases.map(({ workflow, case: given }) =>
        limit(async (): Promise<CaseResult> => {
          const began = performance.now();
          const run = new CaseRun(workflow, given, v7(), nodesOf(graphs, workflow));
          book.add(run);
          const problems = await runCase(run, { platform, projects, events, coverage });
          const status = problems.length === 0 ? 'passed' : 'failed';
          return { workflow, name: given.name, status, problems, durationMs: Math.round(performance.now() - began) };
        }),
      ),
    );
    const results = await Promise.race([all, rejection(signal)]);
    const failed = results.filter(({ status }) => status === 'failed').length;
    return {
      passed: results.length - failed,
      failed,
      cases: results,
      coverage: Object.fromEntries([...coverage].map(([slug, of]) => [slug, of.counts])),
    };
  } finally {
    limit.clearQueue();
    await platform.stop();
    undoDate();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

type Graph = Pick<Definition, 'nodes' | 'edges'>;

function graphsOf(resources: CaseResource[]): Map<string, Graph> {
  const workflows = resources.filter(({ kind }) => kind === 'workflow');
  return new Map(
    workflows.map(({ slug, nodes = [], edges = [] }) => [slug, { nodes, edges } as unknown as Graph] as const),
  );
}

function graphOf(graphs: ReadonlyMap<string, Graph>, slug: string): Graph {
  return graphs.get(slug) ?? { nodes: [], edges: [] };
}

function nodesOf(graphs: ReadonlyMap<string, Graph>, slug: string): Set<string> {
  return new Set(graphOf(graphs, slug).nodes.map(({ id }) => id));
}
