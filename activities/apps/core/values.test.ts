import { describe, expect, it } from '@jest/globals';
import { runExecutor } from '../runExecutor.ts';
import { assert, set, transform } from './values.ts';

describe('core.set', () => {
  it('returns the object', async () => {
    expect(await runExecutor(set, { values: { a: 1, b: { c: [null] } } })).toEqual({
      ok: true,
      output: { a: 1, b: { c: [null] } },
    });
  });

  it.each([[[]], ['text'], [null], [3]])('refuses %j', async (values) => {
    expect(await runExecutor(set, { values })).toEqual({
      ok: false,
      failure: { code: 'INVALID_INPUT', message: 'values: expected an object', retryable: false },
    });
  });
});

describe('core.transform', () => {
  it.each([[null], [0], [''], [false], [[1, [2]]], [{ a: 1 }]])('gives %j as it is', async (value) => {
    expect(await runExecutor(transform, { value })).toEqual({ ok: true, output: value });
  });

  it('returns null without a value', async () => {
    expect(await runExecutor(transform, {})).toEqual({ ok: true, output: null });
  });
});

describe('core.assert', () => {
  it('passes', async () => {
    expect(await runExecutor(assert, { condition: true })).toEqual({ ok: true, output: { passed: true } });
  });

  it.each([
    [{ condition: false }, 'The condition does not hold.'],
    [{ condition: false, message: null }, 'The condition does not hold.'],
    [{ condition: false, message: 'The order is empty.' }, 'The order is empty.'],
  ])('fails %j for good', async (inputs, message) => {
    expect(await runExecutor(assert, inputs)).toEqual({
      ok: false,
      failure: { code: 'ASSERTION_FAILED', message, retryable: false },
    });
  });

  it('rejects a text as condition', async () => {
    expect(await runExecutor(assert, { condition: 'false' })).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: 'condition: expected true or false' },
    });
  });
});
