import { type AddressInfo, createServer, type Socket } from 'node:net';

/** For tests: a server that misbehaves. It uses the protocol's framing and accepts every login. */
export interface ScriptedServer {
  credentials: Record<string, string>;
  cancels: { processId: number; secretKey: number }[];
  hasSent(text: string): Promise<void>;
  close(): Promise<void>;
}

export const BACKEND = { processId: 4_711, secretKey: 815 };
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;

export function message(letter: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function errorMessage(code: string, text: string, severity = 'FATAL'): Buffer {
  return message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${text}`, Buffer.from([0]));
}

function int32(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * index);
  return bytes;
}

export const READY = message('Z', Buffer.from('I'));
const AUTHENTICATED = message('R', int32(0));
export const ASKS_PASSWORD = message('R', int32(3));
const GREETING = Buffer.concat([AUTHENTICATED, message('K', int32(BACKEND.processId, BACKEND.secretKey)), READY]);

/** `answer` receives the text of each message after the login; `greet` handles the time before. */
export async function startScriptedServer(
  answer: (text: string, socket: Socket) => void,
  greet: (socket: Socket) => void = (socket) => void socket.write(GREETING),
): Promise<ScriptedServer> {
  const cancels: ScriptedServer['cancels'] = [];
  const sockets = new Set<Socket>();
  const waiting: { text: string; done: () => void }[] = [];
  const server = createServer((socket) => {
    let isGreeted = false;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const code = isGreeted ? undefined : chunk.readInt32BE(4);
      if (code === SSL_REQUEST) return void socket.write('N');
      if (code === CANCEL_REQUEST) {
        cancels.push({ processId: chunk.readInt32BE(8), secretKey: chunk.readInt32BE(12) });
        return void socket.end();
      }
      if (!isGreeted) {
        isGreeted = true;
        return greet(socket);
      }
      const text = chunk.toString('latin1');
      for (const each of waiting) if (text.includes(each.text)) each.done();
      return answer(text, socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const port = String((server.address() as AddressInfo).port);
  return {
    credentials: { host: '127.0.0.1', port, database: 'd', user: 'ann', password: 'sesame-open-7431', ssl: 'disable' },
    cancels,
    hasSent: (text) => new Promise((done) => waiting.push({ text, done })),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
