import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signatureFault } from './webhookSignature.ts';

const secret = 'whsec_ä';
const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
const now = 1_700_000_000_500;
const seconds = 1_700_000_000;
const sign = (time: number | string, key = secret, bytes: Buffer = body) =>
  createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex');
const bare = createHmac('sha256', secret).update(body).digest('hex');
const right = sign(seconds);

describe('timestamped', () => {
  test.each([
    ['as it should be', `t=${seconds},v1=${right}`],
    ['upper-case hex and spaces', ` t=${seconds} , v1=${right.toUpperCase()} `],
    ['the order turned', `v1=${right},t=${seconds}`],
    ['several v1, the last holds', `t=${seconds},v1=${sign(seconds, 'the old secret')},v1=${right}`],
    ['several v1, the first holds', `t=${seconds},v1=${right},v1=zz,v0=abc`],
    ['as old as may be', `t=${seconds - 299},v1=${sign(seconds - 299)}`],
    ['as far ahead as may be', `t=${seconds + 300},v1=${sign(seconds + 300)}`],
  ])('%s', (_, header) => {
    expect(signatureFault({ secret }, { signature: header }, body, now)).toBeUndefined();
  });

  test.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['without time', `v1=${right}`],
    ['two times', `t=${seconds},t=${seconds},v1=${right}`],
    ['a time that is no number', `t=1e9,v1=${sign('1e9')}`],
    ['another time than signed', `t=${seconds + 1},v1=${right}`],
    ['another secret', `t=${seconds},v1=${sign(seconds, 'other')}`],
    ['another body', `t=${seconds},v1=${sign(seconds, secret, Buffer.from('{}'))}`],
    ['cut short', `t=${seconds},v1=${right.slice(0, 62)}`],
    ['over the body alone', `t=${seconds},v1=${bare}`],
    ['under another version', `t=${seconds},v0=${right}`],
    ['as a body signature', `sha256=${bare}`],
  ])('wrong: %s', (_, header) => {
    expect(signatureFault({ secret }, { signature: header }, body, now)).toBe('wrong');
  });

  test.each([-301, -86_400, 302, 1e9])('out of time by %i s', (by) => {
    const time = seconds + by;
    expect(signatureFault({ secret }, { signature: `t=${time},v1=${sign(time)}` }, body, now)).toBe('stale');
  });

  test('the tolerance is the trigger’s', () => {
    const time = seconds - 20;
    const header = `t=${time},v1=${sign(time)}`;
    expect(signatureFault({ secret, toleranceSeconds: 21 }, { signature: header }, body, now)).toBeUndefined();
    expect(signatureFault({ secret, toleranceSeconds: 20 }, { signature: header }, body, now)).toBe('stale');
  });
});

describe('body', () => {
  const hmac = { secret, format: 'body' } as const;
  test.each([bare, `sha256=${bare}`, `SHA256=${bare.toUpperCase()}`])('%s', (header) => {
    expect(signatureFault(hmac, { signature: header }, body, now)).toBeUndefined();
  });
  test.each([undefined, '', 'sha256=', `sha1=${bare}`, bare.slice(1), `${bare}00`, `t=${seconds},v1=${right}`])(
    'wrong: %s',
    (header) => {
      expect(signatureFault(hmac, { signature: header }, body, now)).toBe('wrong');
    },
  );
});

describe('slack', () => {
  const hmac = { secret, format: 'slack' } as const;
  const signed = (time: number | string, key = secret) =>
    `v0=${createHmac('sha256', key).update(`v0:${time}:`).update(body).digest('hex')}`;
  const faultOf = (signature: string | undefined, time: string | undefined) =>
    signatureFault(hmac, { signature, time }, body, now);

  test('over version, time and body', () => {
    expect(faultOf(signed(seconds), String(seconds))).toBeUndefined();
    expect(faultOf(signed(seconds - 299), String(seconds - 299))).toBeUndefined();
  });

  test.each([
    ['no time', signed(seconds), undefined],
    ['a time that is no number', signed('1e9'), '1e9'],
    ['another time than signed', signed(seconds), String(seconds + 1)],
    ['another secret', signed(seconds, 'other'), String(seconds)],
    ['no signature', undefined, String(seconds)],
    ['without a version', signed(seconds).slice(3), String(seconds)],
    ['as a timestamped signature', `t=${seconds},v1=${right}`, String(seconds)],
  ])('wrong: %s', (_, signature, time) => {
    expect(faultOf(signature, time)).toBe('wrong');
  });

  test('older than five minutes', () => {
    expect(faultOf(signed(seconds - 301), String(seconds - 301))).toBe('stale');
  });
});
