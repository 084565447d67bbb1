import { HEAD, messageOf, SYNC } from './protocolMessage.ts';

/*
 * Connections have their own names, as in Postgres; the session parses and plans each text once:
 *
 *   client A ── Parse "x" text ──► Parse "s1" text ──┐
 *   client B ── Parse "y" text ──► Parse "" (empty) ─┼──► PGlite    B gets the ParseComplete that it waits for
 *   client B ── Bind "y" … ──────► Bind "s1" … ──────┘
 */

const [QUERY, PARSE, BIND, DESCRIBE, CLOSE, STATEMENT] = [...'QPBDCS'].map((letter) => letter.charCodeAt(0));
const PARSE_NOTHING = messageOf('P', Buffer.alloc(4));
const CLOSE_NOTHING = messageOf('C', Buffer.from('S-\0'));
/** Statements that empty the session. */
const FORGETS = /^\s*(?:DEALLOCATE(?:\s+PREPARE)?|DISCARD)\s+ALL\b/i;

interface Statement {
  /** The name in the session, with its final zero. */
  name: Buffer;
  content: string;
  clients: Set<object>;
}

/** Messages for PGlite, and the new statement of each Parse message, in order. */
export interface RewrittenUnit {
  messages: Buffer[];
  parses: (Statement | undefined)[];
}

/** Gives each text one name in the session. A client is any object; messages must be in PGlite's execution order. */
export class NamedStatements {
  readonly #byContent = new Map<string, Statement>();
  readonly #byClient = new Map<object, Map<string, Statement>>();
  #count = 0;

  rewrite(client: object, messages: Buffer[]): RewrittenUnit {
    const parses: RewrittenUnit['parses'] = [];
    return { messages: messages.map((message) => this.#rewriteOne(client, message, parses)), parses };
  }

  /** Removes the statements of failed Parse messages; PGlite processed the first `completed` ones. */
  settle({ parses }: RewrittenUnit, completed: number): void {
    for (const statement of parses.slice(completed)) if (statement) this.#remove(statement);
  }

  /** Returns a unit that closes the statements that only this disconnected client used; empty if there are none. */
  release(client: object): Buffer[] {
    const statements = [...new Set(this.#byClient.get(client)?.values())];
    this.#byClient.delete(client);
    const closing = statements.filter((statement) => this.#withdraw(statement, client)).map(closeOf);
    return closing.length === 0 ? [] : [...closing, SYNC];
  }

  #rewriteOne(client: object, message: Buffer, parses: RewrittenUnit['parses']): Buffer {
    switch (message[0]) {
      case PARSE:
        return this.#parse(client, message, parses);
      case BIND:
        return this.#translate(client, message, message.indexOf(0, HEAD) + 1);
      case DESCRIBE:
        return message[HEAD] === STATEMENT ? this.#translate(client, message, HEAD + 1) : message;
      case CLOSE:
        return message[HEAD] === STATEMENT ? this.#close(client, message) : message;
      case QUERY:
        if (FORGETS.test(message.toString('latin1', HEAD, HEAD + 100))) this.#forget();
        return message;
      default:
        return message;
    }
  }

  #parse(client: object, message: Buffer, parses: RewrittenUnit['parses']): Buffer {
    const name = nameAt(message, HEAD);
    const own = this.#byClient.get(client) ?? new Map<string, Statement>();
    // PGlite rejects a name that the connection already uses.
    if (name === '' || own.has(name)) {
      parses.push(undefined);
      return this.#translate(client, message, HEAD);
    }
    const content = message.toString('latin1', HEAD + name.length + 1);
    const known = this.#byContent.get(content);
    const statement = known ?? { name: Buffer.from(`s${++this.#count}\0`), content, clients: new Set() };
    parses.push(known ? undefined : statement);
    this.#byContent.set(content, statement);
    this.#byClient.set(client, own.set(name, statement));
    statement.clients.add(client);
    return known ? PARSE_NOTHING : this.#translate(client, message, HEAD);
  }

  /** Replaces the name at this position by the session's. An unknown name stays, and PGlite rejects it. */
  #translate(client: object, message: Buffer, at: number): Buffer {
    const name = nameAt(message, at);
    const statement = name === '' ? undefined : this.#byClient.get(client)?.get(name);
    if (!statement) return message;
    const end = at + name.length + 1;
    return messageOf(
      String.fromCharCode(message[0] as number),
      Buffer.concat([message.subarray(HEAD, at), statement.name, message.subarray(end)]),
    );
  }

  #close(client: object, message: Buffer): Buffer {
    const name = nameAt(message, HEAD + 1);
    const own = this.#byClient.get(client);
    const statement = own?.get(name);
    if (!own || !statement) return message;
    own.delete(name);
    const isUsed = [...own.values()].includes(statement);
    return !isUsed && this.#withdraw(statement, client) ? closeOf(statement) : CLOSE_NOTHING;
  }

  #remove(statement: Statement): void {
    this.#byContent.delete(statement.content);
    for (const client of statement.clients) {
      const own = this.#byClient.get(client);
      for (const [name, each] of own ?? []) if (each === statement) own?.delete(name);
    }
  }

  #forget(): void {
    this.#byContent.clear();
    this.#byClient.clear();
  }

  /** Returns true if no other client has it, so that it can be closed. */
  #withdraw(statement: Statement, client: object): boolean {
    statement.clients.delete(client);
    if (statement.clients.size > 0) return false;
    this.#byContent.delete(statement.content);
    return true;
  }
}

/** In latin1, so that its length is its number of bytes. */
function nameAt(message: Buffer, at: number): string {
  return message.toString('latin1', at, message.indexOf(0, at));
}

function closeOf({ name }: Statement): Buffer {
  return messageOf('C', Buffer.concat([Buffer.from('S'), name]));
}
