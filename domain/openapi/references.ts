import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { keysOf, pathIn } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';

/** A value of a document and its place. */
export interface Placed {
  value: JsonObject;
  place: string;
}

const MAX_HOPS = 20;

/** Follows references within one document. Others are reported: nothing is fetched or read from files. */
export class References {
  readonly #root: JsonObject;
  readonly #report: (problem: ProblemDetail) => void;

  constructor(root: JsonObject, report: (problem: ProblemDetail) => void) {
    this.#root = root;
    this.#report = report;
  }

  /** Returns undefined, and reports why, if the reference leads nowhere or the value is no object. */
  follow(given: Json | undefined, place: string): Placed | undefined {
    let at: Json | undefined = given;
    let atPlace = place;
    for (let hops = 0; ; hops += 1) {
      if (!isJsonObject(at)) return this.#refuse(place, 'expected an object');
      const { $ref: reference } = at;
      if (typeof reference !== 'string') return { value: at, place: atPlace };
      if (hops === MAX_HOPS) return this.#refuse(`${place}`, `the reference ${reference} refers to itself`);
      if (!reference.startsWith('#/')) {
        return this.#refuse(place, 'the reference leaves the document: bundle it into one file first');
      }
      const keys = keysOf(decoded(reference));
      at = keys.reduce<Json | undefined>(memberOf, this.#root);
      if (at === undefined) return this.#refuse(place, `the document has no ${reference}`);
      atPlace = pathIn('', keys, this.#root);
    }
  }

  #refuse(path: string, message: string): undefined {
    this.#report({ path, message });
    return undefined;
  }
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
