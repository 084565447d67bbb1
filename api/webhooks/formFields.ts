import type { Json, JsonObject } from '../../domain/json.ts';
import { ownMember, setKey } from '../../domain/ownMember.ts';
import { pathTo } from '../../domain/place.ts';
import { requireStorable } from './brokenBody.ts';

/** A repeated field becomes a list of its values in order. */
export class FormFields {
  readonly fields: JsonObject = {};

  add(name: string, value: string): void {
    requireStorable(name, '');
    requireStorable(value, pathTo('', name));
    const before: Json | undefined = ownMember(this.fields, name);
    if (Array.isArray(before)) before.push(value);
    else setKey<Json>(this.fields, name, before === undefined ? value : [before, value]);
  }
}
