export const REPLY_CHANNEL = 'perdure_mcp_reply';

/** A person's reply to a question that an MCP client has shown. An accepted answer is stored by then. */
export interface QuestionReply {
  /** Id of the request to the client. */
  id: string;
  reply: 'accept' | 'decline' | 'cancel' | 'invalid';
  /** The reason for `invalid`. */
  message?: string;
}

type Listener = (reply: QuestionReply) => void;

/** NOTIFY accepts fewer than 8,000 bytes. */
const MAX_MESSAGE = 1_000;

/** Carries replies to the process that holds the call. A lost one ends with the time limit of the question. */
export class QuestionReplies {
  readonly #listeners = new Map<string, Listener>();
  readonly #notify: ((channel: string, payload: string) => Promise<unknown>) | undefined;

  /** `notify` is undefined if no other process listens. */
  constructor(notify: ((channel: string, payload: string) => Promise<unknown>) | undefined) {
    this.#notify = notify;
  }

  listen(id: string, listener: Listener): () => void {
    this.#listeners.set(id, listener);
    return () => void this.#listeners.delete(id);
  }

  async send({ message, ...reply }: QuestionReply): Promise<void> {
    const sent = { ...reply, ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE) }) };
    const listener = this.#listeners.get(sent.id);
    if (listener) listener(sent);
    else await this.#notify?.(REPLY_CHANNEL, JSON.stringify(sent));
  }

  notified(payload: string): void {
    const reply = JSON.parse(payload) as QuestionReply;
    this.#listeners.get(reply.id)?.(reply);
  }
}
