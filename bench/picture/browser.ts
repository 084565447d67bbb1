import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';

const APPEAR_MS = 90_000;

export interface Page {
  evaluate(expression: string): Promise<unknown>;
  untilShown(text: string): Promise<void>;
  picture(): Promise<Buffer>;
}

/** Opens an address in Debian's `chromium`, headless, over the DevTools protocol. */
export async function withPage<Result>(
  url: string,
  size: { width: number; height: number },
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-browser-'));
  const browser = spawn(
    'chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      `--window-size=${size.width},${size.height}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    const port = await debuggingPort(browser.stderr);
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      webSocketDebuggerUrl: string;
    }[];
    const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
    await once(socket, 'open');
    const send = caller(socket);
    await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
    await send('Page.navigate', { url });
    const evaluate = async (expression: string) => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result?.value as unknown;
    };
    const done = await work({
      evaluate,
      async untilShown(text) {
        const deadline = Date.now() + APPEAR_MS;
        while (!(await evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`))) {
          if (Date.now() > deadline)
            throw new Error(`"${text}" did not appear: ${await evaluate('document.body.innerText')}`);
          await sleep(250);
        }
      },
      picture: async () => Buffer.from((await send('Page.captureScreenshot', { format: 'png' })).data, 'base64'),
    });
    socket.close();
    return done;
  } finally {
    const ended = once(browser, 'exit');
    browser.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function debuggingPort(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) {
      stderr.resume();
      return port;
    }
  }
  throw new Error('chromium ended before it listened');
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of the DevTools protocol
type Call = (method: string, params?: object) => Promise<any>;

function caller(socket: WebSocket): Call {
  let last = 0;
  const waiting = new Map<number, { done: (result: unknown) => void; fail: (error: Error) => void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    const caller = waiting.get(id);
    if (error) caller?.fail(new Error(error.message));
    else caller?.done(result);
    waiting.delete(id);
  });
  return (method, params = {}) =>
    new Promise((done, fail) => {
      last += 1;
      waiting.set(last, { done, fail });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}
