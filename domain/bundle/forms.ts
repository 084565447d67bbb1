import { AGENT_DEFAULTS, type AgentDefinition, type GivenSettings, isSet } from '../agent/definition.ts';
import { withoutAppDefaults } from '../app/appFields.ts';
import type { Catalogue } from '../app/manifest.ts';
import { isEqualJson } from '../isEqualJson.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { withReferences } from '../reference/references.ts';
import { HIDDEN_SECRET, maskTrigger } from '../workflow/maskTrigger.ts';
import type { BundleKind, BundleResource, StoredResource } from './bundle.ts';
import type { Names } from './names.ts';

export function shownFields(kind: BundleKind, fields: JsonObject, names: Names, catalogue: Catalogue): JsonObject {
  if (kind === 'variable') return fields.isSecret === true ? { ...fields, value: HIDDEN_SECRET } : fields;
  if (kind !== 'workflow' && kind !== 'agent') return fields;
  const named = withReferences(kind, fields, catalogue, (reference) => names.textOf(reference));
  if (kind === 'agent') return withSortedSets(named);
  return named.trigger === undefined ? named : { ...named, trigger: maskTrigger(named.trigger) };
}

export function exported({ kind, slug, fields }: StoredResource, names: Names, catalogue: Catalogue): BundleResource {
  const shown = shownFields(kind, fields, names, catalogue);
  return { kind, slug, ...written(kind, shown) };
}

function written(kind: BundleKind, shown: JsonObject): JsonObject {
  if (kind === 'agent') return withoutDefaults(shown);
  if (kind === 'app') return withoutAppDefaults(shown);
  return kind === 'workflow' ? withoutDigests(shown) : shown;
}

/** A save sets the versions of apps. */
function withoutDigests(workflow: JsonObject): JsonObject {
  const { nodes } = workflow;
  if (!Array.isArray(nodes)) return workflow;
  return { ...workflow, nodes: nodes.map((node) => (isJsonObject(node) ? withoutDigest(node) : node)) };
}

function withoutDigest({ appDigest: _, ...node }: JsonObject): JsonObject {
  return node;
}

/** Unordered lists are stored by id, and another workspace has different ids. */
function withSortedSets(agent: JsonObject): JsonObject {
  const sorted = Object.entries(agent).map(([key, value]) => [
    key,
    isSet(key) && Array.isArray(value) ? [...value].sort() : value,
  ]);
  return Object.fromEntries(sorted);
}

export function settingsOf({ selectedModelId, ...settings }: AgentDefinition): GivenSettings {
  return { ...settings, model: selectedModelId };
}

/** Removes settings that equal the upsert's defaults. Entities have no slug, so their ids stay in the workspace. */
function withoutDefaults({ objectIds: _, ...agent }: JsonObject): JsonObject {
  const kept = Object.entries(agent).filter(([key, value]) => {
    if (key === 'builderSetupCompletedAt' || key === 'builderCanvasPositions') return value !== null;
    if (!Object.hasOwn(AGENT_DEFAULTS, key)) return true;
    return !isEqualJson(value, AGENT_DEFAULTS[key as keyof typeof AGENT_DEFAULTS]);
  });
  return Object.fromEntries(kept);
}
