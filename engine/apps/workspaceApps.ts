import { LRUCache } from 'lru-cache';
import type { CustomApp } from '../../domain/app/customApp.ts';
import type { AppManifest, Catalogue, ConnectionType } from '../../domain/app/manifest.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Database } from '../../prisma/client.ts';
import { presentDigests, readCatalogueRevision, readManifests } from '../../prisma/store/app/manifests.ts';

/** The most that the cached manifests may have, as JSON. A workspace has at most half of it by default (MAX_APPS_BYTES). */
const CACHE_BYTES = 64 * 1024 * 1024;
const CACHED_WORKSPACES = 1_000;

interface Present {
  revision: number;
  catalogue: Catalogue;
}

/**
 * Catalogues of workspaces: the built-in apps and their own. A revision, which the database counts and each read of a
 * credential returns, tells whether the cached catalogue is the present one. So a process never misses an app that
 * another one has just stored. Manifests are immutable and cached by digest.
 */
export class WorkspaceApps {
  readonly #database: Database;
  readonly #builtIn: Catalogue;
  readonly #present = new LRUCache<string, Present>({ max: CACHED_WORKSPACES, maxSize: CACHE_BYTES });
  readonly #manifests = new LRUCache<string, CustomApp>({ maxSize: CACHE_BYTES });
  readonly #sizes = new WeakMap<AppManifest, number>();

  constructor(database: Database, builtIn: Catalogue) {
    this.#database = database;
    this.#builtIn = builtIn;
  }

  isBuiltIn(appId: string, type: ConnectionType): boolean {
    return this.#builtIn.get(appId)?.connectionTypes.includes(type) === true;
  }

  /** Returns the catalogue at the revision that the caller has just read, or at a later one. */
  at(workspaceId: string, revision: number): Catalogue | Promise<Catalogue> {
    if (revision === 0) return this.#builtIn;
    const known = this.#present.get(workspaceId);
    return known && known.revision >= revision ? known.catalogue : this.#read(workspaceId, revision);
  }

  async current(workspaceId: string): Promise<Catalogue> {
    return this.at(workspaceId, await readCatalogueRevision(this.#database, workspaceId));
  }

  /** Returns the catalogue in which the present app of this id is, if there is one. Built-in apps need no read. */
  async having(workspaceId: string, appId: string): Promise<Catalogue> {
    return this.#builtIn.has(appId) ? this.#builtIn : this.current(workspaceId);
  }

  /** Returns the catalogue with the versions of apps that a stored definition names. */
  async of(workspaceId: string, { nodes }: Pick<Definition, 'nodes'>): Promise<Catalogue> {
    const digests = new Set(nodes.flatMap(({ appDigest }) => appDigest ?? []));
    return digests.size === 0 ? this.#builtIn : this.#withDigests(workspaceId, [...digests]);
  }

  async #read(workspaceId: string, revision: number): Promise<Catalogue> {
    const digests = await presentDigests(this.#database, workspaceId);
    const catalogue = await this.#withDigests(workspaceId, [...digests.values()]);
    const known = this.#present.get(workspaceId);
    // A slower read of an earlier revision must not replace a later one.
    if (!known || known.revision < revision) {
      this.#present.set(workspaceId, { revision, catalogue }, { size: this.#sizeOf(catalogue) });
    }
    return catalogue;
  }

  #sizeOf(catalogue: Catalogue): number {
    return [...catalogue.values()].reduce((sum, app) => sum + (this.#sizes.get(app) ?? 0), 1);
  }

  async #withDigests(workspaceId: string, digests: readonly string[]): Promise<Catalogue> {
    const keyOf = (digest: string) => `${workspaceId}/${digest}`;
    const known = digests.flatMap((digest) => this.#manifests.get(keyOf(digest)) ?? []);
    const found = new Set(known.map(({ custom }) => custom.digest));
    const missing = digests.filter((digest) => !found.has(digest));
    const read = await readManifests(this.#database, workspaceId, missing);
    for (const app of read) {
      const size = JSON.stringify(app).length;
      this.#sizes.set(app, size);
      this.#manifests.set(keyOf(app.custom.digest), app, { size });
    }
    const byDigest = new Map([...known, ...read].map((app) => [app.custom.digest, app]));
    const own = digests.flatMap((digest) => byDigest.get(digest) ?? []);
    return new Map([...this.#builtIn, ...own.map((app) => [app.appId, app] as const)]);
  }
}
