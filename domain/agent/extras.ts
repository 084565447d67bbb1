import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { storableText } from '../storableJson.ts';

/** Members of list items that arrive in pieces, in the reasoning of OpenRouter and LiteLLM. */
const IN_PIECES: ReadonlySet<string> = new Set(['text', 'summary', 'thinking']);

/** Assembles what a provider sends besides text and calls: texts and lists are appended, objects merged. */
export class Extras {
  #value: JsonObject = {};

  get isEmpty(): boolean {
    return Object.keys(this.#value).length === 0;
  }

  add(name: string, piece: Json | undefined): void {
    if (piece === null || piece === undefined || piece === '' || name === '__proto__') return;
    const before = Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
    this.#value[name] =
      typeof before === 'string' && typeof piece === 'string' ? before + piece : joined(before, piece);
  }

  addAll(pieces: JsonObject): void {
    for (const [name, piece] of Object.entries(pieces)) this.add(name, piece);
  }

  /** Returns everything in storable form and starts empty again. */
  take(): JsonObject {
    const value = this.#value;
    this.#value = {};
    return storable(value) as JsonObject;
  }
}

/** Mutates `before` if it is a list or an object, because long lists arrive in thousands of pieces. */
function joined(before: Json | undefined, piece: Json): Json {
  if (Array.isArray(before) && Array.isArray(piece)) {
    for (const item of piece) {
      if (!continues(before.at(-1), item)) before.push(structuredClone(item));
    }
    return before;
  }
  if (isJsonObject(before) && isJsonObject(piece)) {
    for (const [name, value] of Object.entries(piece)) {
      if (name !== '__proto__') before[name] = joined(before[name], value);
    }
    return before;
  }
  // The original belongs to the provider's chunk.
  return structuredClone(piece);
}

function continues(last: Json | undefined, piece: Json): boolean {
  if (!isJsonObject(last) || !isJsonObject(piece) || !isPieceOf(last, piece)) return false;
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name];
    if (typeof before === 'string' && typeof value === 'string' && IN_PIECES.has(name)) last[name] = before + value;
    else if (value !== null && value !== '' && name !== '__proto__') last[name] = structuredClone(value);
  }
  return true;
}

function isPieceOf(last: JsonObject, piece: JsonObject): boolean {
  if (typeof piece.type !== 'string' || piece.type !== last.type || piece.index !== last.index) return false;
  if ((last.id ?? piece.id) !== (piece.id ?? last.id)) return false;
  const grows = Object.keys(piece).some((name) => IN_PIECES.has(name) && piece[name] !== '');
  // A signature completes a thought.
  return grows ? !last.signature : 'signature' in piece;
}

function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]));
}
