import { ANYTHING, type OutputSchema } from '../app/outputSchema.ts';
import { isJsonObject } from '../json.ts';
import { setKey } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import type { FoundOperation } from './operations.ts';
import type { References } from './references.ts';
import { type PlacedSchema, shapeOf } from './schemaShape.ts';

/** Deeper members are left open, and so are those beyond the limit in all. */
const MAX_LEVELS = 4;
const MAX_SCHEMAS = 80;

/** The schema of a successful answer's body, if there is only one such answer and it has JSON. Otherwise anything. */
export function answerSchema({ operation, place }: FoundOperation, references: References): OutputSchema {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const successes = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  const [status = ''] = successes;
  if (successes.length !== 1) return ANYTHING;
  const response = references.follow(responses[status], pathTo(pathTo(place, 'responses'), status));
  if (!response || !isJsonObject(response.value.content)) return ANYTHING;
  // Requests ask for JSON first.
  const { content } = response.value;
  const type = Object.keys(content).find(isJsonType) ?? '';
  const media = content[type];
  if (!isJsonObject(media)) return ANYTHING;
  const mediaPlace = pathTo(pathTo(response.place, 'content'), type);
  return new AnswerSchemas(references).of({ schema: media.schema, place: pathTo(mediaPlace, 'schema') }, MAX_LEVELS);
}

export function isJsonType(mediaType: string): boolean {
  return /^application\/([^;]*\+)?json\b/i.test(mediaType);
}

export class AnswerSchemas {
  readonly #references: References;
  #left = MAX_SCHEMAS;

  constructor(references: References) {
    this.#references = references;
  }

  of(placed: PlacedSchema, levels: number): OutputSchema {
    const shape = shapeOf(this.#references, placed);
    const { type, isNullable, isOpen, format, items, properties, required } = shape;
    if (isOpen || type === undefined) return ANYTHING;
    if (isNullable) return type === 'string' ? { type: ['string', 'null'] } : ANYTHING;
    if (type === 'string') return format === 'binary' ? ANYTHING : { type };
    if (levels === 0) return { type };
    if (type === 'array') return { type, ...(items ? { items: this.of(items, levels - 1) } : {}) };
    if (type !== 'object') return { type };
    const members: Record<string, OutputSchema> = {};
    for (const [name, member] of properties) {
      if (this.#left === 0) break;
      this.#left -= 1;
      setKey(members, name, this.of(member, levels - 1));
    }
    const names = Object.keys(members).filter((name) => required.has(name));
    return {
      type,
      ...(Object.keys(members).length === 0 ? {} : { properties: members }),
      ...(names.length === 0 ? {} : { required: names }),
    };
  }
}
