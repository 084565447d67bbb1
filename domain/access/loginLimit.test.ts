import { expect, test } from '@jest/globals';
import { failureSubjects, loginSubjects } from './loginLimit.ts';

const network = (ip: string) => loginSubjects('a@b.c', ip).network;

test('an account is counted apart from an address', () => {
  expect(loginSubjects('ann@example.com', '198.51.100.7')).toEqual({
    email: 'ann@example.com',
    network: '198.51.100.7',
  });
});

test('an IPv4 address equals its IPv6-mapped form', () => {
  expect(network('::ffff:198.51.100.7')).toBe(network('198.51.100.7'));
  expect(network('198.51.100.7')).not.toBe(network('198.51.100.8'));
});

test('the addresses of one /64 count as one', () => {
  expect(network('2001:db8:1:2::1')).toBe(network('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(network('2001:db8:1:2::1')).not.toBe(network('2001:db8:1:3::1'));
});

test('a failure counts for the account, the address and the networks around an IPv6 address, each with its own limit', () => {
  const limits = { LOGIN_FAILURES_MAX: 3, LOGIN_FAILURES_MAX_HOUSEHOLD: 5, LOGIN_FAILURES_MAX_SITE: 7 };
  expect(failureSubjects(loginSubjects('a@b.c', '198.51.100.7'), limits)).toEqual([
    { subject: 'email:a@b.c', most: 3 },
    { subject: 'ip:198.51.100.7', most: 3 },
  ]);
  expect(failureSubjects(loginSubjects('a@b.c', '2001:db8:1:200::1'), limits).map(({ most }) => most)).toEqual([
    3, 3, 5, 7,
  ]);
});
