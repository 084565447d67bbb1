import pLimit from 'p-limit';
import { v7 } from 'uuid';
import { CoverageOf } from '../domain/case/coverage.ts';
import type { Definition } from '../domain/workflow/definition.ts';
import type { Say } from '../embedded/say.ts';
import { findTestServer } from '../embedded/testServer.ts';
import { caseActivities } from './caseActivities.ts';
import { CaseBook } from './caseBook.ts';
import type { CaseDatabase } from './caseDatabase.ts';
import { CaseEvents } from './caseEvents.ts';
import { type CasePlatform, startCasePlatform } from './casePlatform.ts';
import { CaseProjects } from './caseProjects.ts';
import { CaseRun } from './caseRun.ts';
import type { CaseReport, CaseResource, CaseResult, CaseSuite, SuiteCase } from './caseSuite.ts';
import { runCase } from './runCase.ts';
import { installVirtualDate } from './virtualDate.ts';

const AT_ONCE = 8;

/** Runs suites on one platform, so that only the first one waits for its start. */
export interface CaseRunner {
  /** Throws the product's problem if the folder is invalid, and the signal's reason when it is aborted. */
  run(suite: CaseSuite, signal: AbortSignal): Promise<CaseReport>;
  stop(): Promise<void>;
}

/** Stopping it stops the database. Only this process may use `Date` until then. */
export async function startCaseRunner(database: Promise<CaseDatabase>, say: Say): Promise<CaseRunner> {
  const [started, testServer] = await bothOrNone(database, findTestServer(process.env, say));
  const book = new CaseBook();
  const events = new CaseEvents();
  const undoDate = installVirtualDate();
  const platform: CasePlatform = await startCasePlatform({
    ...{ database: started, testServer },
    activities: (services) => caseActivities(services, { book, ...events.hostOn(() => platform) }),
  }).catch((error: unknown) => {
    undoDate();
    throw error;
  });
  return {
    run: (suite, signal) => runSuite(suite, { platform, book, events, say, signal }),
    async stop() {
      await platform.stop();
      undoDate();
    },
  };
}

/** Stops the database if the server cannot be found. */
async function bothOrNone(database: Promise<CaseDatabase>, server: Promise<string>): Promise<[CaseDatabase, string]> {
  const [started, found] = await Promise.allSettled([database, server]);
  if (started.status === 'rejected') throw started.reason;
  if (found.status === 'fulfilled') return [started.value, found.value];
  await started.value.stop();
  throw found.reason;
}

interface Running {
  platform: CasePlatform;
  book: CaseBook;
  events: CaseEvents;
  say: Say;
  signal: AbortSignal;
}

async function runSuite({ resources, cases }: CaseSuite, running: Running): Promise<CaseReport> {
  const { platform, book, events, say, signal } = running;
  signal.throwIfAborted();
  say(`running ${cases.length === 1 ? '1 case' : `${cases.length} cases`} …`);
  const graphs = graphsOf(resources);
  const owner = await platform.makeWorkspace();
  const projects = new CaseProjects(platform, owner, resources);
  const coverage = new Map(cases.map(({ workflow }) => [workflow, new CoverageOf(graphOf(graphs, workflow))]));
  const limit = pLimit(AT_ONCE);
  const runOne = async ({ workflow: slug, file, index, case: given }: SuiteCase): Promise<CaseResult> => {
    const began = performance.now();
    const ownNodes = nodesOf(graphs, slug);
    const run = new CaseRun({ slug, given, executionId: v7(), workspaceId: owner.workspaceId, ownNodes });
    book.add(run);
    const failures = await runCase(run, { platform, projects, events, coverage });
    const status = failures.length === 0 ? 'passed' : 'failed';
    const durationMs = Math.round(performance.now() - began);
    return { workflow: slug, name: given.name, file, index, status, failures, durationMs };
  };
  try {
    const results = await platform.skipTime(() =>
      Promise.race([Promise.all(cases.map((each) => limit(() => runOne(each)))), rejection(signal)]),
    );
    const failed = results.filter(({ status }) => status === 'failed').length;
    return {
      passed: results.length - failed,
      failed,
      cases: results,
      coverage: Object.fromEntries([...coverage].map(([slug, of]) => [slug, of.counts])),
    };
  } finally {
    limit.clearQueue();
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
