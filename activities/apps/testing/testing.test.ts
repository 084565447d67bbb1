import { describe, expect, it } from '@jest/globals';
import { runExecutor } from '../runExecutor.ts';
import { fail, payload, succeed } from './outcomes.ts';
import { wait } from './wait.ts';

describe('testing.succeed', () => {
  it.each([[null], [0], [{ a: [1] }]])('gives %j', async (output) => {
    expect(await runExecutor(succeed, { output })).toEqual({ ok: true, output });
  });

  it('gives null without an output', async () => {
    expect(await runExecutor(succeed, {})).toEqual({ ok: true, output: null });
  });
});

describe('testing.fail', () => {
  const failure = { code: 'TEST_FAILURE', message: 'This step fails on request.', retryable: true };

  it('fails the first attempts', async () => {
    const results = await Promise.all([1, 2, 3].map((attempt) => runExecutor(fail, { times: 2 }, { attempt })));
    expect(results).toEqual([
      { ok: false, failure },
      { ok: false, failure },
      { ok: true, output: { attempt: 3 } },
    ]);
    expect(await runExecutor(fail, { times: 0 })).toEqual({ ok: true, output: { attempt: 1 } });
  });

  it.each([[{}], [{ times: null }]])('always fails with %j', async (inputs) => {
    expect(await runExecutor(fail, inputs, { attempt: 1_000 })).toEqual({ ok: false, failure });
  });

  it('fails with the given message', async () => {
    expect(await runExecutor(fail, { message: 'no', retryable: false })).toEqual({
      ok: false,
      failure: { code: 'TEST_FAILURE', message: 'no', retryable: false },
    });
  });
});

describe('testing.wait', () => {
  it('never waits too short, although timers may fire early', async () => {
    const many = Array.from({ length: 200 }, (_, index) => 1 + (index % 40));
    const results = await Promise.all(many.map(async (ms) => ({ ms, result: await runExecutor(wait, { ms }) })));
    for (const { ms, result } of results) {
      if (!result.ok) throw new Error(result.failure.message);
      expect((result.output as { waitedMs: number }).waitedMs).toBeGreaterThanOrEqual(ms);
    }
  });

  it('ends at once, with the reason, when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled by its owner');
    const running = runExecutor(wait, { ms: 60_000 }, { signal: controller.signal });
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(runExecutor(wait, { ms: 60_000 }, { signal: controller.signal })).rejects.toBe(reason);
  });

  it.each([[-1], ['5'], [1e12]])('refuses %j', async (ms) => {
    expect(await runExecutor(wait, { ms })).toMatchObject({ failure: { code: 'INVALID_INPUT' } });
  });
});

describe('testing.payload', () => {
  it.each([[0], [1], [1_000_000]])('gives %i bytes', async (bytes) => {
    expect(await runExecutor(payload, { bytes })).toEqual({ ok: true, output: { data: 'x'.repeat(bytes) } });
  });

  it.each([[-1], [1.5], [104_857_601]])('refuses %d', async (bytes) => {
    expect(await runExecutor(payload, { bytes })).toMatchObject({ failure: { code: 'INVALID_INPUT' } });
  });
});
