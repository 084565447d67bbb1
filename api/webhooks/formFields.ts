import type { Json, JsonObject } from '../../domain/json.ts';
import { setKey } from '../../domain/ownMember.ts';
import { pathTo } from '../../domain/place.ts';
import { requireStorable } from './brokenBody.ts';

/** The fields of a form by name; a repeated field is the list of its values in order. */
export class FormFields {
  readonly fields: JsonObject = {};

  /** Throws VALIDATION_FAILED where name or value cannot be stored. */
  add(name: string, value: string): void {
    requireStorable(name, '');
    requireStorable(value, pathTo('', name));
    const before: Json | undefined = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    if (Array.isArray(before)) before.push(value);
    else setKey<Json>(this.fields, name, before === undefined ? value : [before, value]);
  }
}
