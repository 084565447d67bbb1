import { describe, expect, it } from '@jest/globals';
import { isAllowedHost, readAllowedHosts, WrongHosts } from './allowedHosts.ts';

describe('allowed hosts', () => {
  it.each([
    ['api.example.com', 'https://api.example.com/x', true],
    ['API.Example.com', 'https://api.example.com/x', true],
    ['api.example.com', 'http://api.example.com:8080/', true],
    ['api.example.com', 'https://api.example.com.evil.test/', false],
    ['api.example.com', 'https://evil.test/?api.example.com', false],
    ['api.example.com', 'https://sub.api.example.com/', false],
    ['api.example.com:443', 'https://api.example.com/', true],
    ['api.example.com:443', 'http://api.example.com/', false],
    ['api.example.com:8443', 'https://api.example.com/', false],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*.example.com:8080', 'http://a.example.com:8080/', true],
    ['one.test, two.test', 'https://two.test/', true],
    ['["one.test", "two.test"]', 'https://two.test/', true],
    ['127.0.0.1', 'http://127.0.0.1:9000/', true],
    ['127.0.0.1', 'http://127.1:9000/', true],
    ['[::1]:80', 'http://[::1]/', true],
    ['münchen.example', 'https://xn--mnchen-3ya.example/', true],
    ['localhost', 'http://localhost:1/', true],
  ])('%s for %s: %s', (text, url, allowed) => {
    expect(isAllowedHost(readAllowedHosts(text), new URL(url))).toBe(allowed);
  });

  it.each([
    [''],
    [' , '],
    ['[]'],
    ['[1]'],
    ['["a.test"'],
    ['*'],
    ['*.com'],
    ['*.127.0.0.1'],
    ['a.*.test'],
    ['https://a.test'],
    ['a.test/path'],
    ['ann@a.test'],
    ['a.test:0'],
    ['a.test:65536'],
    ['::1'],
    ['a b.test'],
  ])('%j are invalid', (text) => {
    expect(() => readAllowedHosts(text)).toThrow(WrongHosts);
  });
});
