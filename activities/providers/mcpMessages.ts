import { isJsonObject, type JsonObject } from '../../domain/json.ts';

/** Messages of a response that are not notifications. The SDK answers each question of a server with a request. */
export const MAX_MESSAGES = 100;
/** The shortest pause before reconnecting: a server may ask for none, each time. */
const SOONEST_RETRY_MS = 100;

export class McpUnclear extends Error {}

/** Returns the messages that are not notifications, which nobody needs in a session of one call. Throws McpUnclear. */
export function messagesIn(text: string): JsonObject[] {
  // Searching is cheaper than parsing.
  if (!text.includes('"id"')) return [];
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw new McpUnclear('with a message that is no JSON');
  }
  const messages = (Array.isArray(said) ? said : [said]).filter((each) => isJsonObject(each) && 'id' in each);
  if (messages.length > MAX_MESSAGES) throw new McpUnclear(`with more than ${MAX_MESSAGES} messages`);
  return messages;
}

/** Keeps what the SDK needs: messages, places, pauses. The rest would cost it far more time than its bytes suggest. */
export class McpEvents {
  readonly #decoder = new TextDecoder();
  #line = '';
  #endsInCr = false;
  #data: string[] = [];
  #event = '';
  #id: string | undefined;
  #place: string | undefined;
  #isAnswered = false;
  #messages = 0;

  /** True if the server named a place from which it can resume. */
  get mayResume(): boolean {
    return this.#place !== undefined;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  take(bytes: Uint8Array): string {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    if (decoded === '') return '';
    // The second half of a line ending.
    const text = this.#endsInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#endsInCr = decoded.endsWith('\r');
    const [first = '', ...more] = text.split(/\r\n|[\r\n]/);
    this.#line += first;
    const before = this.#place;
    let written = '';
    for (const next of more) {
      written += this.#takeLine(this.#line);
      this.#line = next;
    }
    // Once for all events of the piece, because the last one counts.
    return this.#place === before ? written : `${written}id: ${this.#place}\ndata:\n\n`;
  }

  #takeLine(line: string): string {
    if (line === '') return this.#endEvent();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value))
      return `retry: ${Math.max(Number(value), SOONEST_RETRY_MS)}\n`;
    return '';
  }

  #endEvent(): string {
    const [data, event, id] = [this.#data, this.#event, this.#id];
    [this.#data, this.#event, this.#id] = [[], '', undefined];
    if (data.length === 0) return '';
    if (id) this.#place = id;
    if (event !== '' && event !== 'message') return '';
    const messages = messagesIn(data.join('\n'));
    this.#messages += messages.length;
    if (this.#messages > MAX_MESSAGES) throw new McpUnclear(`with more than ${MAX_MESSAGES} messages`);
    this.#isAnswered ||= messages.some((message) => !('method' in message));
    return messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  }
}
