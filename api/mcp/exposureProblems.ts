import { isJsonObject } from '../../domain/json.ts';
import type { ExposeAsTool } from '../../domain/mcp/exposeAsTool.ts';
import { type Exposed, OWN_TOOLS, wantedName } from '../../domain/mcp/exposedNames.ts';
import { inPath } from '../../domain/place.ts';
import type { ProblemDetail } from '../../domain/problem.ts';
import { readExposedTools, readProjectSlug } from '../../prisma/store/mcp/exposedTools.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';

const PATH = 'exposeAsTool';

export type Exposable = Omit<Exposed, 'id' | 'projectSlug' | 'exposeAsTool'> & {
  exposeAsTool?: ExposeAsTool | null | undefined;
  /** Undefined: it is known by its slug. */
  id?: string;
  /** Workflows only. Undefined: manual. */
  trigger?: unknown;
  /** The place of the resource in the request. */
  path?: string;
};

/** Problems of tools whose name is taken in the workspace, and of workflows that no input can start. */
export async function exposureProblems(
  { database, config }: Services,
  caller: Caller,
  projectId: string | undefined,
  given: readonly Exposable[],
): Promise<ProblemDetail[]> {
  if (projectId === undefined || !given.some(({ exposeAsTool }) => exposeAsTool)) return [];
  const { workspaceId } = caller;
  const projectSlug = await readProjectSlug(database, workspaceId, projectId);
  if (projectSlug === undefined) return [];
  const stored = await readExposedTools(database, workspaceId, caller);
  const isGiven = (row: Exposed & { projectId: string }) =>
    row.projectId === projectId.toLowerCase() &&
    given.some(({ kind, id, slug }) => kind === row.kind && (id === row.id || slug === row.slug));
  const others = stored.filter((row) => !isGiven(row));
  const most = config.MCP_MAX_EXPOSED_TOOLS;
  const taken = new Set([...OWN_TOOLS, ...others.map(wantedName)]);
  return given.flatMap(({ exposeAsTool, path = '', ...own }) => {
    if (!exposeAsTool) return [];
    const name = wantedName({ ...own, projectSlug, exposeAsTool });
    const isTaken = taken.has(name);
    taken.add(name);
    const isBeyond = taken.size > most + OWN_TOOLS.length;
    return [
      ...(isBeyond ? [{ path: inPath(path, PATH), message: `a workspace has at most ${most} tools` }] : []),
      ...(isTaken ? [{ path: inPath(path, `${PATH}.name`), message: `another tool is called ${name}` }] : []),
      ...triggerProblems(own, path),
    ];
  });
}

function triggerProblems({ trigger }: Pick<Exposable, 'trigger'>, path: string): ProblemDetail[] {
  const type = isJsonObject(trigger) ? trigger.type : 'manual';
  if (type === 'manual' || type === 'schedule') return [];
  const message = `no input starts a workflow with the trigger ${type}: expected a manual or schedule trigger`;
  return [{ path: inPath(path, PATH), message }];
}
