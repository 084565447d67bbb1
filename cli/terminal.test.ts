import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { openTerminal } from './terminal.ts';

function opened() {
  const interrupted = new AbortController();
  const input = new PassThrough();
  const terminal = openTerminal({
    signal: interrupted.signal,
    onInterrupt: () => interrupted.abort(),
    input,
    output: new PassThrough().resume(),
  });
  return { terminal, input, interrupted };
}

test('a line is the answer', async () => {
  const { terminal, input } = opened();
  const answer = terminal.ask('> ');
  input.write('hello\r');
  expect(await answer).toBe('hello');
  terminal.close();
});

test('handles Ctrl-C with and without an open prompt', async () => {
  const waiting = opened();
  const answer = waiting.terminal.ask('> ');
  waiting.input.write('\u0003');
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  expect(waiting.interrupted.signal.aborted).toBe(true);

  const between = opened();
  const aborted = new Promise((done) => between.interrupted.signal.addEventListener('abort', done));
  between.input.write('\u0003');
  await aborted;
  for (const { terminal } of [waiting, between]) terminal.close();
});

test('Ctrl-D and the end of the input end the conversation', async () => {
  const keyed = opened();
  const answer = keyed.terminal.ask('> ');
  keyed.input.write('\u0004');
  expect(await answer).toBeUndefined();
  expect(await keyed.terminal.ask('> ')).toBeUndefined();
  const gone = opened();
  const last = gone.terminal.ask('> ');
  gone.input.end();
  expect(await last).toBeUndefined();
});
