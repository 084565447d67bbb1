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
  readonly #known = new Map<string, { value: Json | undefined; place: string }>();

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
      const named = this.#named(reference);
      at = named.value;
      atPlace = named.place;
      if (at === undefined) return this.#refuse(place, `the document has no ${reference}`);
    }
  }

  #named(reference: string): { value: Json | undefined; place: string } {
    const known = this.#known.get(reference);
    if (known) return known;
    const keys = keysOfReference(reference);
    const value = keys.reduce<Json | undefined>(memberOf, this.#root);
    const named = { value, place: pathIn('', keys, this.#root) };
    this.#known.set(reference, named);
    return named;
  }

  #refuse(path: string, message: string): undefined {
    this.#report({ path, message });
    return undefined;
  }
}

export function keysOfReference(reference: string): string[] {
  try {
    return keysOf(decodeURIComponent(reference));
  } catch {
    // An invalid escape leads nowhere.
    return keysOf(reference);
  }
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
