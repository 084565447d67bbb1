import type { Json } from '../json.ts';
import { Extras } from './extras.ts';

export interface CallDelta {
  index?: number | null;
  id?: string | null;
  type?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
  [more: string]: unknown;
}

export interface GatheredCall {
  index: number | undefined;
  givenId: string | undefined;
  name: string;
  /** The arguments as the model writes them. */
  text: string;
  extras: Extras;
  whole: WholeObject;
}

const READ_MEMBERS: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

/**
 * Assembles the calls of one answer. By the protocol, each piece has the `index` of its call, and the first its id and
 * name. Some providers omit the index or always send 0, send no id, or repeat the name. So a new id at the same index
 * starts another call, and so does a name after complete arguments.
 */
export class GatheredCalls {
  readonly all: GatheredCall[] = [];
  readonly #byIndex = new Map<number, GatheredCall>();
  readonly #isTool: (name: string) => boolean;

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  take(piece: CallDelta): { call: GatheredCall; added: string } {
    const call = this.#callOf(piece);
    const { id, function: said } = piece;
    call.givenId ??= id || undefined;
    this.#name(call, said?.name ?? '');
    const added = argumentsText(said?.arguments);
    call.text += added;
    for (const [name, value] of Object.entries(piece)) {
      if (!READ_MEMBERS.has(name)) call.extras.add(name, value as Json);
    }
    return { call, added };
  }

  #callOf(piece: CallDelta): GatheredCall {
    const { index, id } = piece;
    const place = typeof index === 'number' ? index : undefined;
    const there = place === undefined ? this.all.at(-1) : this.#byIndex.get(place);
    if (!there) return this.#open(piece);
    if (id && there.givenId !== undefined) {
      if (id === there.givenId) return there;
      return this.all.findLast((call) => call.givenId === id && call.index === place) ?? this.#open(piece);
    }
    return this.#opensAnother(there, piece) ? this.#open(piece) : there;
  }

  /** Without ids, only the name distinguishes calls. */
  #opensAnother(there: GatheredCall, { function: said }: CallDelta): boolean {
    const name = said?.name ?? '';
    if (name === '' || there.name === '') return false;
    const isOther = name !== there.name && this.#isTool(name) && this.#isTool(there.name);
    if (there.text === '') return isOther;
    return isOther || (there.whole.isWhole(there.text) && argumentsText(said?.arguments) !== '');
  }

  #open({ index }: CallDelta): GatheredCall {
    const place = typeof index === 'number' ? index : undefined;
    const call = {
      index: place,
      givenId: undefined,
      name: '',
      text: '',
      extras: new Extras(),
      whole: new WholeObject(),
    };
    this.all.push(call);
    if (place !== undefined) this.#byIndex.set(place, call);
    return call;
  }

  /** Names arrive complete, in pieces, or again with each piece. */
  #name(call: GatheredCall, piece: string): void {
    if (piece === '' || piece === call.name) return;
    if (piece.startsWith(call.name)) call.name = piece;
    else if (call.text === '' && (!this.#isTool(call.name) || this.#isTool(call.name + piece))) call.name += piece;
  }
}

/** Some gateways send an object. */
function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  return given === null || given === undefined ? '' : JSON.stringify(given);
}

/** Detects when a growing text becomes a complete JSON object. Reads each character once. */
class WholeObject {
  #seen = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #hasBegun = false;

  isWhole(text: string): boolean {
    for (; this.#seen < text.length; this.#seen += 1) this.#see(text.charAt(this.#seen));
    return this.#hasBegun && this.#depth === 0 && !this.#isText;
  }

  #see(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText) {
      if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isText = false;
    } else if (character === '"') this.#isText = true;
    else if (character === '{') {
      this.#depth += 1;
      this.#hasBegun = true;
    } else if (character === '}') this.#depth -= 1;
  }
}
