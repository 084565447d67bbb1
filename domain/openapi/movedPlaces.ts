import { keysOfPath, pathTo } from '../place.ts';

/** The places that parts of a converted document have in the author's document. */
export class MovedPlaces {
  readonly #given = new Map<string, string>();

  add(converted: string, given: string): void {
    this.#given.set(converted, given);
  }

  /** Members of a moved part move with it. Other places are the same in both documents. */
  given(place: string): string {
    const keys = keysOfPath(place);
    const join = (from: string, names: readonly (string | number)[]) =>
      names.reduce<string>((path, key) => pathTo(path, key), from);
    for (let length = keys.length; length > 0; length -= 1) {
      const given = this.#given.get(join('', keys.slice(0, length)));
      if (given !== undefined) return join(given, keys.slice(length));
    }
    return place;
  }
}
