import { LRUCache } from 'lru-cache';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { type OperationPlan, planOf } from '../../../domain/openapi/operationPlan.ts';
import { type FoundOperation, operationsOf } from '../../../domain/openapi/operations.ts';
import { References } from '../../../domain/openapi/references.ts';
import { type SecurityType, securityTypesOf } from '../../../domain/openapi/securityTypes.ts';
import { serverOf } from '../../../domain/openapi/servers.ts';

/** The maximum size of the documents in memory, as JSON. */
const CACHE_BYTES = 32 * 1024 * 1024;

export interface PreparedOperation {
  found: FoundOperation;
  plan: OperationPlan;
  /** Undefined if the document has no usable address. */
  server: URL | undefined;
  /** By connectionId. */
  security: ReadonlyMap<string, SecurityType>;
}

interface Prepared {
  document: JsonObject;
  references: References;
  operations: ReadonlyMap<string, FoundOperation>;
  security: ReadonlyMap<string, SecurityType>;
}

export type ReadDocument = (workspaceId: string, digest: string) => Promise<Uint8Array | undefined>;

/** Documents of apps, which are immutable. One that was uploaded by hand may lack parts: they are left out. */
export class OpenApiDocuments {
  readonly #read: ReadDocument;
  readonly #prepared = new LRUCache<string, Prepared>({ maxSize: CACHE_BYTES });

  constructor(read: ReadDocument) {
    this.#read = read;
  }

  /** Undefined if the document is missing, or has no such operation. */
  async operation(workspaceId: string, digest: string, actionId: string): Promise<PreparedOperation | undefined> {
    const prepared = await this.#prepare(workspaceId, digest);
    const found = prepared?.operations.get(actionId);
    if (!prepared || !found) return undefined;
    const { document, references, security } = prepared;
    const plan = planOf(found, references, ignore);
    return { found, plan, server: serverOf(document, found, ignore), security };
  }

  async #prepare(workspaceId: string, digest: string): Promise<Prepared | undefined> {
    const key = `${workspaceId}/${digest}`;
    const known = this.#prepared.get(key);
    if (known) return known;
    const bytes = await this.#read(workspaceId, digest);
    const document = bytes && parsed(bytes);
    if (!bytes || !isJsonObject(document)) return undefined;
    const references = new References(document, ignore);
    const found = operationsOf(document, references);
    const security = securityTypesOf(document, found, references, ignore);
    const prepared = {
      ...{ document, references },
      operations: new Map(found.map((one) => [one.actionId, one])),
      security: new Map(security.map((one) => [one.type.connectionId, one])),
    };
    this.#prepared.set(key, prepared, { size: bytes.length });
    return prepared;
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function ignore(): void {
  // The import has reported it.
}
