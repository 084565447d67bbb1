import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refusalOf } from './addressRefusal.ts';

describe('refusalOf', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['100.127.255.255', 'carrierGradeNat'],
    ['100.100.100.200', 'carrierGradeNat'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloudPlatform'],
    ['169.254.0.1', 'linkLocal'],
    ['169.254.169.254', 'linkLocal'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['192.168.0.1', 'private'],
    ['198.18.0.1', 'reserved'],
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['[::1]', 'loopback'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['fc00::1', 'uniqueLocal'],
    ['fd00:ec2::254', 'uniqueLocal'],
    ['fec0::1', 'deprecatedSiteLocal'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'reserved'],
    ['100::1', 'discard'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:169.254.169.254', 'linkLocal'],
    ['::ffff:0:127.0.0.1', 'rfc6145'],
    ['::127.0.0.1', 'reserved'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b:1::7f00:1', 'rfc6052'],
    ['2002:7f00:1::', '6to4'],
    ['2002:808:808::', '6to4'],
    ['2001:0:7f00:1::', 'teredo'],
    ['4000::1', 'reserved'],
    ['', 'notAnAddress'],
    ['localhost', 'notAnAddress'],
    ['127.1', 'notAnAddress'],
    ['0x7f.0.0.1', 'notAnAddress'],
    ['2130706433', 'notAnAddress'],
  ])('refuses %s: %s', (address, reason) => {
    expect(refusalOf(address)).toBe(reason);
  });

  it.each([
    ['1.1.1.1'],
    ['8.8.8.8'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.1'],
    ['169.253.255.255'],
    ['169.255.0.0'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.167.255.255'],
    ['192.169.0.0'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2001:4860:4860::8888'],
    ['::ffff:8.8.8.8'],
    ['64:ff9b::808:808'],
  ])('allows %s', (address) => {
    expect(refusalOf(address)).toBeUndefined();
  });

  it('treats an IPv4 address the same in every IPv6 form', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const [a, b, c, d] = octets;
        const plain = refusalOf(octets.join('.'));
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(refusalOf(`::ffff:${octets.join('.')}`)).toBe(plain);
        expect(refusalOf(`::ffff:${hex}`)).toBe(plain);
        expect(refusalOf(`64:ff9b::${hex}`)).toBe(plain);
        expect(refusalOf(`2002:${hex}::1`)).toBe('6to4');
      }),
    );
  });

  it('refuses IPv6 addresses outside 2000::/3, except forms of a public IPv4 address', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups;
        fc.pre(first < 0x2000 || first > 0x3fff);
        fc.pre(!(first === 0 && groups[5] === 0xffff) && !(first === 0x64 && groups[1] === 0xff9b));
        expect(refusalOf(groups.map((part) => part.toString(16)).join(':'))).toBeDefined();
      }),
    );
  });
});
