import { expect, test } from '@jest/globals';
import { passwordProblem } from './passwordRules.ts';

const ANN = { isOwner: false, known: ['Ann Smith', 'ann.smith@acme.example', 'Riverside Bakery'] };
const LENGTHS = { PASSWORD_MIN_LENGTH: 8, OWNER_PASSWORD_MIN_LENGTH: 12 };
const problemOf = (password: string, owner = ANN, lengths = LENGTHS) =>
  passwordProblem(password, owner, lengths, new AbortController().signal);

test.each([
  ...['password12345', 'password123456', 'Password1!', 'P@ssw0rd1', 'welcome2024', 'Summer2024!', 'admin1234'],
  ...[
    'changeme123',
    'Company123',
    'perdure1',
    'aaaaaaaa',
    'ｐａｓｓｗｏｒｄ',
    'Baseball',
    '1QAZ2wsx',
    'hunter2hunter2',
  ],
  ...['riversidebakery', 'Riverside Bakery', 'ann.smith@acme.example', 'annsmith1'],
])('%s is refused, with what would help', async (password) => {
  expect(await problemOf(password)).toMatch(/^expected a password that is harder to guess\. \w+/);
});

test.each(['a password of Ann', 'correct horse battery staple', 'пароль не простой', 'tZ8-kq3-Vw1'])(
  '%s is taken',
  async (password) => {
    expect(await problemOf(password)).toBeUndefined();
  },
);

test.each([
  ['the address', 'margarethe.von-quistorp+perdure@sued-nord-frachtkontor.example'],
  ['the name', 'Margarethe Xquistorp-Vbrzka de la Zwölfhuizen'],
  ['the workspace', 'Qwfpgj Zxcdvb Nmkloi Freight 7341'],
])('refuses a password equal to %s, whatever its length', async (_what, text) => {
  const owner = { isOwner: true, known: [text] };
  for (const password of [text, ` ${text.toUpperCase()}  `]) {
    expect(await problemOf(password, owner)).toMatch(/^expected a password that is harder to guess\./);
  }
  expect(await problemOf(`${text} tZ8-kq3-Vw1x`, owner)).toBeUndefined();
});

test('requires twelve characters of owners, eight of others', async () => {
  expect(await problemOf('tZ8-kq3-Vw1', { ...ANN, isOwner: true })).toContain('at least 12 characters');
  expect(await problemOf('tZ8-kq3-Vw1x', { ...ANN, isOwner: true })).toBeUndefined();
  expect(await problemOf('tZ8-kq3')).toContain('at least 8 characters');
});

test('a deployment may require more; owners never need fewer than others', async () => {
  const more = { PASSWORD_MIN_LENGTH: 14, OWNER_PASSWORD_MIN_LENGTH: 12 };
  for (const isOwner of [true, false]) {
    expect(await problemOf('tZ8-kq3-Vw1x', { ...ANN, isOwner }, more)).toContain('at least 14 characters');
    expect(await problemOf('tZ8-kq3-Vw1x-7', { ...ANN, isOwner }, more)).toBeUndefined();
  }
});

test('the longest password blocks neither the process nor the thread', async () => {
  const beats: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    beats.push(performance.now() - last);
    last = performance.now();
  }, 10);
  const started = performance.now();
  for (const text of ['4@8({[<3691!0$5+7%2', 'a', 'p@ssw0rd1', 'x1y2-'])
    await problemOf(text.repeat(1_000).slice(0, 1_000));
  clearInterval(timer);
  // A thousand characters once took the estimator minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(Math.max(...beats)).toBeLessThan(1_000);
});

test('a strong end makes up for a weak beginning', async () => {
  expect(await problemOf(`${'a'.repeat(40)} correct horse battery staple`)).toBeUndefined();
});
