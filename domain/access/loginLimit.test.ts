import { expect, test } from '@jest/globals';
import { loginSubjects } from './loginLimit.ts';

const network = (ip: string) => loginSubjects('a@b.c', ip).network;

test('an account is counted apart from an address', () => {
  expect(loginSubjects('ann@example.com', '198.51.100.7')).toEqual({
    email: 'ann@example.com',
    network: '198.51.100.7',
  });
});

test('an IPv4 address is the same when it comes mapped into IPv6', () => {
  expect(network('::ffff:198.51.100.7')).toBe(network('198.51.100.7'));
  expect(network('198.51.100.7')).not.toBe(network('198.51.100.8'));
});

test('the addresses of one /64 count as one', () => {
  expect(network('2001:db8:1:2::1')).toBe(network('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(network('2001:db8:1:2::1')).not.toBe(network('2001:db8:1:3::1'));
});
