import pMap from 'p-map';
import type { BundleResource, PlanEntry } from '../../../domain/bundle/bundle.ts';
import { KIND_PERMISSIONS, keyOf } from '../../../domain/bundle/bundle.ts';
import type { Move } from '../../../domain/bundle/moves.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { placed } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { isUniqueViolation } from '../../../prisma/databaseErrors.ts';
import {
  countOpenExecutions,
  holdRows,
  noteApply,
  readLastApply,
  takeTurn,
} from '../../../prisma/store/bundle/writeBundle.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { inTransaction } from '../../../prisma/transaction.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { announceRules, dropAnnounced } from './announceRules.ts';
import { type Answer, repeatedAnswer, storedAnswer, withSecrets } from './applyAnswer.ts';
import { withBundleApps } from './bundleApps.ts';
import { checkResources, requireKinds, type WantedResource } from './checkResources.ts';
import { deleteGone } from './deleteGone.ts';
import { deletionProblems } from './deletionProblems.ts';
import { movedState, slugUserProblems } from './movedState.ts';
import { planChanged } from './planChanged.ts';
import { type Plan, planOf } from './planOf.ts';
import { type ProjectState, readProjectState, type Wanted } from './projectState.ts';
import { writeWanted } from './writePlan.ts';

const AT_ONCE = 8;

/** The plan is made before the transaction, for the state that it finds; otherwise nothing is written. */
export const applyProject: Operation<'applyProject'> = async ({
  caller,
  params,
  body,
  resourceId,
  isRepeated,
  services: given,
}) => {
  const { projectId } = params;
  const { workspaceId } = caller;
  const resources = body.resources as unknown as BundleResource[];
  const moves = body.moved ?? [];
  const services = withBundleApps(given, resources, moves);
  const place = { workspaceId, projectId };
  const last = await readLastApply(services.database, workspaceId, projectId);
  if (!last) throw notFound(PROJECT);
  const owner = body.owner ?? last.slug;
  requireKinds(caller, resources, ({ kind }) => kind !== 'app');
  requireFew(resources, services.config.MAX_BUNDLE_RESOURCES);
  if (isRepeated && last.id === resourceId) return repeatedAnswer(services, caller, last.answer);
  const wantedOf: Wanted = {
    typeSlugs: slugsOf(resources, moves, 'objectType'),
    baseSlugs: slugsOf(resources, moves, 'knowledge'),
    appSlugs: slugsOf(resources, moves, 'app'),
  };
  const stored = await readProjectState(services, services.database, caller, projectId, wantedOf);
  const { state, problems: ofMoves } = movedState(stored, { projectId, moves, resources });
  if (ofMoves.length > 0) refuse(ofMoves);
  const { wanted, problems } = await checkResources(services, caller, { projectId, state, resources });
  if (problems.length > 0) refuse(problems);
  const wishes = { wanted, deletes: body.delete === true, owner, takesOver: body.takeOver === true };
  const plan = await planOf(services, caller, state, wishes);
  const actions = new Map(plan.entries.map((each) => [keyOf(each), each.action]));
  requireKinds(caller, resources, (each) => actions.get(keyOf(each)) !== 'unchanged');
  requireKinds(caller, plan.deleted);
  const hindrances = [
    ...plan.problems,
    ...(await slugUserProblems(services, workspaceId, state, wanted)),
    ...(await deletionProblems(services, place, plan)),
  ];
  if (hindrances.length > 0) refuse(hindrances);
  if (body.planHash !== undefined && body.planHash !== plan.hash) throw planChanged();
  const entries = await withOpenExecutions(services, workspaceId, state, plan);
  const answer = {
    plan: entries.map((each) => shownTo(caller, each)),
    planHash: plan.hash,
    applied: body.dryRun !== true,
  };
  if (body.dryRun === true) return answer;
  const madeSecrets = await write(services, caller, { place, owner, state, plan, wantedOf, id: resourceId, answer });
  return withSecrets(answer, madeSecrets);
};

interface ToWrite {
  place: { workspaceId: string; projectId: string };
  owner: string;
  state: ProjectState;
  plan: Plan;
  wantedOf: Wanted;
  id: string;
  answer: Answer;
}

async function write(
  services: Services,
  caller: Caller,
  { place, owner, state, plan, wantedOf, id, answer }: ToWrite,
): Promise<ReadonlyMap<string, string>> {
  const { workspaceId, projectId } = place;
  const actions = new Map(plan.entries.map((each) => [keyOf(each), each.action]));
  const changing = plan.wanted.filter((each) => actions.get(keyOf(each)) !== 'unchanged');
  const madeSecrets = new Map<string, string>();
  if (changing.length + plan.deleted.length === 0) return madeSecrets;
  const announced = await announceRules(services, caller, changing);
  try {
    await inTransaction(services.database, async (database) => {
      await takeTurn(database, workspaceId);
      await holdRows(
        database,
        workspaceId,
        state.resources.map(({ id }) => id),
      );
      const now = await readProjectState(services, database, caller, projectId, wantedOf);
      if (now.hash !== state.hash) throw planChanged();
      await writeWanted({ services, database, caller, projectId, owner, announced, madeSecrets }, changing);
      await deleteGone(database, caller, plan.deleted);
      await noteApply(database, workspaceId, projectId, { id, answer: storedAnswer(answer, madeSecrets) });
    });
  } catch (error) {
    await dropAnnounced(services.database, announced);
    // Another upsert of the slug was faster.
    throw isUniqueViolation(error) ? planChanged() : error;
  }
  await follow(services, workspaceId, changing, plan);
  return madeSecrets;
}

/** Does what upserts do after their write; the reconciler does it if this process dies. */
async function follow(
  services: Services,
  workspaceId: string,
  changing: readonly WantedResource[],
  plan: Plan,
): Promise<void> {
  const written = changing.filter(({ kind }) => kind === 'workflow');
  const gone = plan.deleted.filter(({ kind }) => kind === 'workflow');
  const limited = written.filter(
    ({ stored, fields }) => stored && stored.fields.maxConcurrent !== fields.maxConcurrent,
  );
  for (const { id } of [...limited, ...gone]) services.releaser.releaseBehind(workspaceId, id);
  const timed = [...written, ...gone].filter(
    (each) => isTimed(each.fields) || ('stored' in each && isTimed(each.stored?.fields)),
  );
  await pMap(timed, ({ id }) => services.schedules.sync(workspaceId, id), { concurrency: AT_ONCE });
}

function isTimed(fields: JsonObject | undefined): boolean {
  const { trigger } = fields ?? {};
  return isJsonObject(trigger) && (trigger.type === 'schedule' || trigger.type === 'poll');
}

async function withOpenExecutions(
  { database }: Services,
  workspaceId: string,
  state: ProjectState,
  { entries }: Plan,
): Promise<PlanEntry[]> {
  const ids = new Map(state.resources.map((each) => [keyOf(each), each.id]));
  const idOf = (entry: PlanEntry) =>
    entry.kind === 'workflow' && (entry.action === 'update' || entry.action === 'delete')
      ? ids.get(keyOf(entry))
      : undefined;
  const open = await countOpenExecutions(
    database,
    workspaceId,
    entries.flatMap((entry) => idOf(entry) ?? []),
  );
  return entries.map((entry) => {
    const id = idOf(entry);
    return id === undefined ? entry : { ...entry, openExecutions: open.get(id) ?? 0 };
  });
}

/** Hides the previous values from a caller who may write a kind but not read it. */
function shownTo(caller: Caller, entry: PlanEntry): PlanEntry {
  if (caller.permissions.has(KIND_PERMISSIONS[entry.kind].read)) return entry;
  return { ...entry, changes: entry.changes.map((each) => ({ ...each, from: null })) };
}

function slugsOf(resources: readonly BundleResource[], moves: readonly Move[], kind: BundleResource['kind']): string[] {
  return [...resources.map(({ kind: of, slug }) => ({ kind: of, from: slug })), ...moves]
    .filter((each) => each.kind === kind)
    .map(({ from }) => from);
}

function requireFew(resources: readonly unknown[], most: number): void {
  if (resources.length <= most) return;
  refuse([
    { path: 'resources', message: `${resources.length} resources, at most ${most} are allowed (MAX_BUNDLE_RESOURCES)` },
  ]);
}

function refuse(errors: ProblemDetail[]): never {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Problem('VALIDATION_FAILED', `${first ? placed(first) : ''}${more}`, { errors });
}
