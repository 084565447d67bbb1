import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { CopyIn, copyPlace, refusedCopy, withoutCopyIn } from './copyIn.ts';
import { MessageScan } from './messageScan.ts';
import { NamedStatements } from './namedStatements.ts';
import { messageOf, SYNC } from './protocolMessage.ts';

/*
 * Many connections over PGlite's one session. `@electric-sql/pglite-socket` 0.2.17 queues message by message, so
 * another client's Parse comes between a Parse and its Bind ("bind message supplies 1 parameters, but prepared
 * statement requires 2"), statement names clash, COPY FROM STDIN ends the session for all, and NOTIFY reaches no
 * listener. Here the unit of work is everything up to ReadyForQuery:
 *
 *   client A ──Parse Bind Describe Execute Sync──┐
 *   client B ──Query─────────────────────────────┼──► queue ──► PGlite     one unit at a time; while a unit has left a
 *   client C ──Parse Bind … (no Sync yet: waits)─┘                         transaction or a Flush open, that client's units only
 */

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const NO = Buffer.from('N');
/** Query, Sync, FunctionCall, Flush: the client then waits for a response. */
const UNIT_ENDS = new Set([...'QSFH'].map((letter) => letter.charCodeAt(0)));
const QUERY = 'Q'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const FLUSH = 'H'.charCodeAt(0);
/** After an error in the extended protocol the session skips everything before a Sync, including a ROLLBACK. */
const LEAVE = [SYNC, messageOf('Q', Buffer.from('ROLLBACK\0'))];
/** Maximum bytes of one COPY … FROM STDIN, whose rows are collected in memory. */
const COPY_BYTES = 67_108_864;

/** Splits a stream of packets into messages without copying an incomplete one repeatedly. */
class MessageReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** The first message of a connection has no letter before its length. */
  #headLength = 4;
  #needed = 4;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  next(): Buffer | undefined {
    if (this.#length < this.#needed) return undefined;
    let all = this.#gather();
    const total = this.#headLength - 4 + all.readInt32BE(this.#headLength - 4);
    if (all.length < total) {
      this.#needed = total;
      return undefined;
    }
    const message = all.subarray(0, total);
    all = all.subarray(total);
    this.#chunks = [all];
    this.#length = all.length;
    this.#needed = this.#headLength;
    return message;
  }

  startupIsOver(): void {
    this.#headLength = 5;
    this.#needed = 5;
  }

  #gather(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }
}

interface Client {
  socket: Socket;
  reader: MessageReader;
  isStarted: boolean;
  messages: Buffer[];
  isListening: boolean;
  copy: CopyIn | undefined;
}

/** All clients share one session, so a listening client must receive the NOTIFY of every client. */
const LISTEN = /^\s*LISTEN\s/i;

function listens(message: Buffer): boolean {
  return message[0] === QUERY && LISTEN.test(message.toString('utf8', 5, Math.min(message.length, 100)));
}

interface Unit {
  client: Client;
  messages: Buffer[];
  /** `asks`: a response for the client, in order, without PGlite. `hands over`: a COPY with its rows. */
  copy?: 'asks' | 'hands over';
}

export interface PgliteSocketOptions {
  db: PGlite;
  /** Called if PGlite itself failed, not a statement: its session can no longer be trusted. */
  onFailure(error: unknown): void;
  copyBytes?: number;
}

export class PgliteSocket {
  readonly #options: PgliteSocketOptions;
  readonly #servers: Server[] = [];
  readonly #clients = new Set<Client>();
  readonly #statements = new NamedStatements();
  #queue: Unit[] = [];
  #isWorking = false;
  /** The client with an open transaction or a Flush before its Sync, which has the session exclusively. */
  #owner: Client | undefined;

  constructor(options: PgliteSocketOptions) {
    this.#options = options;
  }

  /** Listens on a socket's path or a port; may be called several times. */
  listen(at: ListenOptions): Promise<void> {
    const server = createServer((socket) => this.#welcome(socket));
    this.#servers.push(server);
    return new Promise((done, fail) => server.once('error', fail).listen(at, done));
  }

  async stop(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((done) => server.close(done)));
    for (const { socket } of this.#clients) socket.destroy();
    await Promise.all(closed);
  }

  #welcome(socket: Socket): void {
    const client: Client = {
      socket,
      reader: new MessageReader(),
      isStarted: false,
      messages: [],
      isListening: false,
      copy: undefined,
    };
    this.#clients.add(client);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(client, chunk));
    // A reset connection is also closed.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#forget(client));
  }

  #take(client: Client, chunk: Buffer): void {
    client.reader.add(chunk);
    for (let message = client.reader.next(); message !== undefined; message = client.reader.next()) {
      if (!client.isStarted) this.#greet(client, message);
      else if (message[0] === TERMINATE) client.socket.end();
      else if (client.copy) this.#takeRows(client, client.copy, message);
      else this.#takeMessage(client, message);
    }
  }

  #takeMessage(client: Client, message: Buffer): void {
    const copy = copyPlace(message);
    if (copy === 'alone') {
      if (client.messages.length > 0) this.#enqueue(client);
      client.copy = new CopyIn(message, this.#options.copyBytes ?? COPY_BYTES);
      client.messages.push(client.copy.response);
      this.#enqueue(client, 'asks');
      return;
    }
    client.messages.push(copy === 'refused' ? refusedCopy(message) : message);
    client.isListening ||= listens(message);
    if (UNIT_ENDS.has(message[0] ?? 0)) this.#enqueue(client);
  }

  #takeRows(client: Client, copy: CopyIn, message: Buffer): void {
    const whole = copy.add(message);
    if (!whole) return;
    client.copy = undefined;
    client.messages.push(whole);
    this.#enqueue(client, 'hands over');
  }

  #greet(client: Client, message: Buffer): void {
    const code = message.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) {
      client.socket.write(NO);
    } else if (code === CANCEL_REQUEST) {
      // Statements cannot be interrupted here; the protocol expects no response.
      client.socket.end();
    } else {
      client.isStarted = true;
      client.reader.startupIsOver();
      client.messages.push(message);
      this.#enqueue(client);
    }
  }

  #enqueue(client: Client, copy?: Unit['copy']): void {
    this.#queue.push({ client, messages: client.messages, ...(copy ? { copy } : {}) });
    client.messages = [];
    void this.#work();
  }

  #forget(client: Client): void {
    this.#clients.delete(client);
    this.#queue = this.#queue.filter((unit) => unit.client !== client);
    if (this.#owner === client) this.#queue.unshift({ client, messages: LEAVE });
    const closing = this.#statements.release(client);
    if (closing.length > 0) this.#queue.push({ client, messages: closing });
    void this.#work();
  }

  #next(): Unit | undefined {
    if (this.#owner === undefined) return this.#queue.shift();
    const index = this.#queue.findIndex((unit) => unit.client === this.#owner);
    return index === -1 ? undefined : this.#queue.splice(index, 1)[0];
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      for (let unit = this.#next(); unit !== undefined; unit = this.#next()) await this.#run(unit);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#isWorking = false;
    }
  }

  async #run({ client, messages, copy }: Unit): Promise<void> {
    const { db } = this.#options;
    if (copy === 'asks') {
      if (client.socket.writable) for (const message of messages) client.socket.write(message);
      return;
    }
    const others = [...this.#clients].filter((each) => each.isListening && each !== client);
    const notifications = new MessageScan('A');
    const unit = this.#statements.rewrite(client, messages);
    const parseCompletes = unit.parses.some(Boolean) ? new MessageScan('1') : undefined;
    let completed = 0;
    const tell = (answer: Buffer) => {
      completed += parseCompletes?.add(answer).length ?? 0;
      if (client.socket.writable) client.socket.write(answer);
      const heard = others.length === 0 ? [] : notifications.add(answer);
      for (const message of heard) for (const { socket } of others) if (socket.writable) socket.write(message);
    };
    const gathered: Buffer[] = [];
    // PGlite reuses its buffer.
    const onRawData = (data: Uint8Array) => (copy ? gathered.push(Buffer.from(data)) : tell(Buffer.from(data)));
    // Send one packet for the responses of a unit.
    client.socket.cork();
    try {
      // One call per unit: each call costs PGlite about 15 µs, in total a fifth of a small statement.
      await db.runExclusive(() => db.execProtocolRawStream(Buffer.concat(unit.messages), { onRawData }));
      if (copy) tell(withoutCopyIn(Buffer.concat(gathered)));
    } finally {
      client.socket.uncork();
    }
    this.#statements.settle(unit, completed);
    const isOpen = db.isInTransaction() || messages.at(-1)?.[0] === FLUSH;
    this.#owner = isOpen ? client : undefined;
    // The client disconnected while its unit ran, so end its transaction.
    if (isOpen && !this.#clients.has(client)) this.#queue.unshift({ client, messages: LEAVE });
  }
}
