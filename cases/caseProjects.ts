import { v7 } from 'uuid';
import { createClient, type Perdure } from '#client';
import type { WorkspaceCredentials } from '../api/access/createWorkspace.ts';
import { isJsonObject, type Json, mapTexts } from '../domain/json.ts';
import { canonicalJson } from '../domain/workflow/canonical.ts';
import { insertConnection } from '../prisma/store/connection/insertConnection.ts';
import type { CasePlatform } from './casePlatform.ts';
import type { CaseResource } from './caseSuite.ts';

type ApplyBody = Parameters<Perdure['applyProject']>[0]['body'];

/** Secrets are masked in a pulled folder; each is replaced by one value. */
const MASKED = /^\*+$/;
const IN_PLACE_OF_SECRET = 'a-secret-of-the-test';

/** By slug of the workflow. */
export type CaseProject = ReadonlyMap<string, string>;

/** Applies the folder as projects, one for each set of variables that the cases use. */
export class CaseProjects {
  readonly #platform: CasePlatform;
  readonly #owner: WorkspaceCredentials;
  readonly #client: Perdure;
  readonly #resources: CaseResource[];
  readonly #projects = new Map<string, Promise<CaseProject>>();
  #connected: Promise<void> | undefined;
  #applied: Promise<unknown> = Promise.resolve();

  constructor(platform: CasePlatform, owner: WorkspaceCredentials, resources: CaseResource[]) {
    this.#platform = platform;
    this.#owner = owner;
    this.#client = createClient({ url: platform.url, apiKey: owner.apiKey });
    this.#resources = resources.map(forCases);
  }

  /** Throws the product's problem if the folder is invalid; its places are those of the resources. */
  of(variables: Record<string, Json>): Promise<CaseProject> {
    const key = canonicalJson(variables);
    let project = this.#projects.get(key);
    if (!project) {
      project = this.#make(variables);
      this.#projects.set(key, project);
    }
    return project;
  }

  async #make(variables: Record<string, Json>): Promise<CaseProject> {
    this.#connected ??= this.#connect();
    await this.#connected;
    const { id } = await this.#client.createProject({ body: { name: 'Tests' } });
    const resources = withVariables(this.#resources, variables);
    await this.#apply(id, { resources } as ApplyBody);
    const { database, log: _ } = this.#platform.parts;
    const workflows = await database.workflow.findMany({ where: { projectId: id }, select: { id: true, slug: true } });
    return new Map(workflows.map((each) => [each.slug ?? '', each.id]));
  }

  /** Sequential: projects share entity types and knowledge bases, so concurrent applies fail with PLAN_CHANGED. */
  #apply(projectId: string, body: ApplyBody): Promise<unknown> {
    const apply = () => this.#client.applyProject({ path: { projectId }, body });
    this.#applied = this.#applied.then(apply, apply);
    return this.#applied;
  }

  /** Creates a connection for each one that the folder names, with dummy credentials: no call leaves the machine. */
  async #connect(): Promise<void> {
    const { database, vault } = this.#platform.parts;
    const { workspaceId } = this.#owner;
    for (const [slug, appId] of connectionsIn(this.#resources)) {
      const id = v7();
      const app = this.#platform.parts.catalogue.get(appId);
      const connectionType = app?.connectionTypes[0]?.connectionId ?? appId;
      const { sealed, keyId } = vault.seal({ workspaceId, connectionId: id }, {});
      const of = { workflowAppId: appId, connectionType, isDefault: false, isManaged: false };
      await insertConnection(database, workspaceId, { id, name: slug, slug, ...of, sealed, keyId });
    }
  }
}

/** Removes concurrency limits, which depend on other executions, and enables disabled workflows. */
function forCases(resource: CaseResource): CaseResource {
  const { kind, slug, ...fields } = mapTexts(resource, (text) => (MASKED.test(text) ? IN_PLACE_OF_SECRET : text));
  if (kind !== 'workflow') return { kind, slug, ...fields };
  const { maxConcurrent: _, isActive: __, ...workflow } = fields;
  return { kind, slug, ...workflow };
}

function withVariables(resources: CaseResource[], variables: Record<string, Json>): CaseResource[] {
  const given = new Set(Object.keys(variables));
  const changed = resources.map((each) =>
    each.kind === 'variable' && given.delete(each.slug) ? { ...each, value: variables[each.slug] } : each,
  );
  return [...changed, ...[...given].map((slug) => ({ kind: 'variable', slug, value: variables[slug] }))];
}

function connectionsIn(resources: CaseResource[]): Map<string, string> {
  const found = new Map<string, string>();
  const look = (value: unknown, appId: string) => {
    if (typeof value === 'string') {
      const [, slug] = /^@connection\/(.+)$/.exec(value) ?? [];
      if (slug !== undefined) found.set(slug, appId);
    } else if (Array.isArray(value)) {
      for (const each of value) look(each, appId);
    } else if (isJsonObject(value)) {
      const inner = typeof value.appId === 'string' ? value.appId : appId;
      for (const each of Object.values(value)) look(each, inner);
    }
  };
  for (const resource of resources) look(resource, 'openai');
  return found;
}
