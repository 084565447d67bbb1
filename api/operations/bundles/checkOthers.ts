import { QUEUE_DEFAULTS, TYPE_DEFAULTS } from '../../../domain/bundle/defaults.ts';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { type ChunkRules, DEFAULT_CHUNKS } from '../../../domain/knowledge/chunk.ts';
import type { ObjectRules } from '../../../domain/object/rules.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { HIDDEN_SECRET } from '../../../domain/workflow/maskTrigger.ts';
import { checkExisting } from '../../../engine/objects/checkExisting.ts';
import { requireRules } from '../../../engine/objects/requireRules.ts';
import { hasVectors } from '../../../prisma/store/database/capabilities.ts';
import { KNOWLEDGE_TO_EMBED } from '../../../prisma/store/knowledge/resource.ts';
import { refusalOf } from '../../../prisma/store/refusals.ts';
import { askedOf, EMBEDDING, embeddingOf, requireHalf } from '../knowledge/knowledgeOperations.ts';
import { rulesCheck } from '../objectTypes/rulesCheck.ts';
import { dataSchemaProblemsOf } from '../queues/dataSchemaCheck.ts';
import { valueProblem } from '../variables/sealedValue.ts';
import { type Checked, type Checking, type GivenResource, overlaid, wrong } from './resourceCheck.ts';

export async function checkQueue(given: GivenResource, { services, caller }: Checking): Promise<Checked> {
  const fields = overlaid({ name: given.slug, ...QUEUE_DEFAULTS }, given);
  const isOther =
    given.body.dataSchema !== undefined && !isEqualJson(given.stored?.fields.dataSchema, fields.dataSchema);
  const problems = isOther ? await dataSchemaProblemsOf(services, caller, fields.dataSchema) : [];
  return problems.length > 0 ? wrong(problems) : { problems, needs: [], fields };
}

/** The mask of a secret keeps the stored value, and is a problem without one. */
export function checkVariable(given: GivenResource): Checked {
  const { body, stored } = given;
  const isSecret = body.isSecret === undefined ? stored?.fields.isSecret === true : body.isSecret === true;
  const wasSecret = stored?.fields.isSecret === true;
  const keeps = body.value === undefined || (body.value === HIDDEN_SECRET && wasSecret);
  const value = keeps ? stored?.fields.value : body.value;
  if (value === undefined) return wrong([{ path: 'value', message: 'required, since no such variable is stored' }]);
  if (keeps && wasSecret && !isSecret) {
    return wrong([{ path: 'value', message: 'required, because the secret cannot be read: send the value' }]);
  }
  const message = keeps ? undefined : valueProblem(value, isSecret);
  if (message !== undefined) return wrong([{ path: 'value', message }]);
  const { description = null } = overlaid({ description: null }, given);
  return { problems: [], needs: [], fields: { description, isSecret, value } };
}

export async function checkKnowledge(given: GivenResource, { services, caller }: Checking): Promise<Checked> {
  const { body, stored, slug, id } = given;
  return collected(async () => {
    const head = overlaid({ name: slug, description: null }, given);
    const present = stored?.fields;
    const chunkSize = Number(body.chunkSize ?? present?.chunkSize ?? DEFAULT_CHUNKS.chunkSize);
    const half = Math.min(DEFAULT_CHUNKS.chunkOverlap, Math.floor(chunkSize / 2));
    const chunks: ChunkRules = { chunkSize, chunkOverlap: Number(body.chunkOverlap ?? present?.chunkOverlap ?? half) };
    requireHalf(chunks);
    const isOther = !present || EMBEDDING.some((name) => body[name] !== undefined && body[name] !== present[name]);
    if (!isOther) {
      const { embeddingProvider, embeddingModel, dimensions } = present;
      return { ...head, ...chunks, embeddingProvider, embeddingModel, dimensions } as JsonObject;
    }
    if (present) {
      const { frozen } = KNOWLEDGE_TO_EMBED;
      const refusal = await refusalOf(services.database, caller, KNOWLEDGE_TO_EMBED, id, undefined, frozen);
      if (refusal) throw problem([{ path: 'embeddingModel', message: refusal.detail }]);
    } else if (!(await hasVectors(services.database))) {
      throw problem([
        { path: '', message: 'this deployment has no vector database: its Postgres lacks the extension vector' },
      ]);
    }
    const asked = present ? askedOf(body, present) : (body as Parameters<typeof embeddingOf>[1]);
    return { ...head, ...chunks, ...embeddingOf(services, asked) } as JsonObject;
  });
}

export async function checkType(given: GivenResource, { services, caller }: Checking): Promise<Checked> {
  const { stored, slug, id } = given;
  const fields = overlaid({ name: slug, ...TYPE_DEFAULTS }, given);
  const [rules, before] = [rulesOf(fields), stored && rulesOf(stored.fields)];
  if (before && isEqualJson(before, rules)) return { problems: [], needs: [], fields };
  return collected(async () => {
    await requireRules(rules, rulesCheck(services, caller));
    if (!before) return fields;
    const check = services.evaluation.attributesCheck(caller.workspaceId);
    const type = { id, rules: before };
    const found = await checkExisting(services.database, caller.workspaceId, type, { rules, check }, async () => {});
    if (found.count === 0) return fields;
    const said = found.errors.map(({ path, message }) => `${path}: ${message}`).slice(0, MAX_REPORTED);
    const path = said.some((each) => each.startsWith('stateSchema')) ? 'stateSchema' : 'attributeSchema';
    throw problem([{ path, message: `${found.count} entities of the type would not fit: ${said.join('; ')}` }]);
  });
}

const MAX_REPORTED = 5;

export function rulesOf({ attributeSchema, stateSchema, allowUnknownAttributes }: JsonObject): ObjectRules {
  return { attributeSchema, stateSchema, allowUnknownAttributes } as unknown as ObjectRules;
}

function problem(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The resource is not valid', { errors });
}

async function collected(check: () => Promise<JsonObject>): Promise<Checked> {
  try {
    return { problems: [], needs: [], fields: await check() };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error;
    return wrong(error.errors ?? [{ path: '', message: error.message }]);
  }
}
