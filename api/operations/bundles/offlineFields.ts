import { createHash } from 'node:crypto';
import { agentDefinition, type GivenSettings } from '../../../domain/agent/definition.ts';
import { appFields } from '../../../domain/app/appFields.ts';
import { appLimits, readApp } from '../../../domain/app/customManifest.ts';
import type { BundleKind, BundleResource } from '../../../domain/bundle/bundle.ts';
import { AGENT_HEAD, QUEUE_DEFAULTS, TYPE_DEFAULTS, WORKFLOW_HEAD } from '../../../domain/bundle/defaults.ts';
import { settingsOf } from '../../../domain/bundle/forms.ts';
import { type JsonObject, mapTexts } from '../../../domain/json.ts';
import { DEFAULT_CHUNKS } from '../../../domain/knowledge/chunk.ts';
import { withReferences } from '../../../domain/reference/references.ts';
import { readDefinition } from '../workflows/readDefinition.ts';
import { withBundleApps } from './bundleApps.ts';
import { offlineServices } from './offlineServices.ts';
import { overlaid } from './resourceCheck.ts';

type OfflineServices = ReturnType<typeof offlineServices>;

/**
 * Equal results mean the same. References stay strings; invalid definitions stay unchanged. `all`: the files, whose apps
 * workflows name.
 */
export async function offlineFields(
  { kind, slug, ...body }: BundleResource,
  all: readonly BundleResource[],
): Promise<JsonObject> {
  return FIELDS[kind as BundleKind](slug as string, body, withBundleApps(offlineServices(), all));
}

function over(defaults: JsonObject, body: JsonObject): JsonObject {
  return { ...body, ...overlaid(defaults, { body, stored: undefined }) };
}

type Fields = (slug: string, body: JsonObject, services: OfflineServices) => JsonObject | Promise<JsonObject>;

const FIELDS: Record<BundleKind, Fields> = {
  async workflow(slug, body, services) {
    const texts = new Map<string, string>();
    const named = withReferences('workflow', body, services.catalogue, ({ by, name }) => {
      if (by === 'slug') return name;
      texts.set(idFor(name), name);
      return idFor(name);
    });
    const { definition } = (await readDefinition(named, services)).validation;
    const fields = over({ name: slug, ...WORKFLOW_HEAD }, body);
    if (!definition) return fields;
    const { steps: _, ...head } = fields;
    return { ...head, ...mapTexts(definition as unknown as JsonObject, (text) => texts.get(text) ?? text) };
  },
  agent(slug, body) {
    const settings = settingsOf(agentDefinition(body as unknown as GivenSettings)) as unknown as JsonObject;
    return { ...over({ name: slug, ...AGENT_HEAD }, body), ...settings };
  },
  app(slug, { secret: _, ...body }, { config, catalogue }) {
    const { app } = readApp({ ...body, slug }, appLimits(config), catalogue);
    return app ? appFields(app) : body;
  },
  queue: (slug, body) => over({ name: slug, ...QUEUE_DEFAULTS }, body),
  objectType: (slug, body) => over({ name: slug, ...TYPE_DEFAULTS }, body),
  knowledge(slug, body) {
    const { chunkSize, chunkOverlap } = DEFAULT_CHUNKS;
    const size = Number(body.chunkSize ?? chunkSize);
    const chunks = { chunkSize: size, chunkOverlap: Math.min(chunkOverlap, Math.floor(size / 2)) };
    return over({ name: slug, description: null, ...chunks }, body);
  },
  variable: (_, body) => over({ description: null, isSecret: false }, body),
};

/** Maps each text to an id, since definitions are checked with ids. */
function idFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
