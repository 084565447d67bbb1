import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { createTokens, type TokenSubject } from './token.ts';

const secret = 'a secret of at least thirty-two characters';
const tokens = createTokens(secret, 900_000);
const subject: TokenSubject = {
  userId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
  workspaceId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e60',
  role: 'builder',
  sessionId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e61',
};
const later = () => new Date(Date.now() + 60_000);
const claims = { sub: subject.userId, ...subject, type: 'access' };
const sign = (payload: object, options: jwt.SignOptions = {}, key: jwt.Secret = secret) =>
  jwt.sign(payload, key, { issuer: 'perdure', audience: 'perdure-api', expiresIn: 60, ...options });

test('a token reads back as it was signed', () => {
  expect(tokens.readAccess(tokens.signAccess(subject))).toEqual({ ok: true, subject });
  expect(tokens.readRefresh(tokens.signRefresh(subject, later()))).toEqual({ ok: true, subject });
});

test('a token has exactly these claims, and lives as long as it should', () => {
  const payload = jwt.decode(tokens.signAccess(subject)) as jwt.JwtPayload;
  expect(payload).toMatchObject({
    sub: subject.userId,
    workspaceId: subject.workspaceId,
    role: 'builder',
    sessionId: subject.sessionId,
    type: 'access',
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeGreaterThanOrEqual(899);
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(901);
});

test('a token of one type never passes for the other', () => {
  const invalid = { ok: false, reason: 'invalid' };
  expect(tokens.readRefresh(tokens.signAccess(subject))).toEqual(invalid);
  expect(tokens.readAccess(tokens.signRefresh(subject, later()))).toEqual(invalid);
});

test('an expired token says so', () => {
  const token = createTokens(secret, -2_000).signAccess(subject);
  expect(tokens.readAccess(token)).toEqual({ ok: false, reason: 'expired' });
});

test('the token that the forgeries below differ from is accepted', () => {
  expect(tokens.readAccess(sign(claims)).ok).toBe(true);
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
test.each([
  ['no signature', () => sign(claims, { algorithm: 'none' }, '')],
  ['another secret', () => sign(claims, {}, 'another secret of thirty-two characters')],
  ['another algorithm of the same key', () => sign(claims, { algorithm: 'HS512' })],
  ['an asymmetric algorithm', () => sign(claims, { algorithm: 'RS256' }, privateKey)],
  ['another issuer', () => sign(claims, { issuer: 'other' })],
  ['another audience', () => sign(claims, { audience: 'other' })],
  ['no type', () => sign({ ...claims, type: undefined })],
  ['an unknown role', () => sign({ ...claims, role: 'root' })],
  ['an id that is none', () => sign({ ...claims, workspaceId: "' OR 1=1" })],
  [
    'a changed payload',
    () => sign(claims).replace(/\.[^.]+\./, `.${Buffer.from('{"type":"access"}').toString('base64url')}.`),
  ],
  ['no token at all', () => 'x'],
])('%s is invalid', (_, forge) => {
  expect(tokens.readAccess(forge())).toEqual({ ok: false, reason: 'invalid' });
});

test('the first secret of a list signs, each of them verifies', () => {
  const [older, newer] = [secret, 'another secret of thirty-two characters'];
  const before = createTokens(older, 900_000);
  const between = createTokens(`${newer}, ${older}`, 900_000);
  const after = createTokens(newer, 900_000);
  expect(between.readAccess(before.signAccess(subject))).toEqual({ ok: true, subject });
  expect(after.readRefresh(between.signRefresh(subject, later()))).toEqual({ ok: true, subject });
  expect(after.readAccess(before.signAccess(subject))).toEqual({ ok: false, reason: 'invalid' });
  const late = createTokens(older, -2_000).signAccess(subject);
  expect(between.readAccess(late)).toEqual({ ok: false, reason: 'expired' });
  expect(between.readAccess(sign(claims, {}, 'a third secret of thirty-two characters')).ok).toBe(false);
});

test.each([undefined, '', 'short', `${secret},`, `${secret},short`])('the secret %j is refused', (weak) => {
  expect(() => createTokens(weak, 1)).toThrow(/TOKEN_SECRET is required/);
});
