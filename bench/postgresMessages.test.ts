import { expect, test } from '@jest/globals';
import { StatementReader } from './postgresMessages.ts';

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

function opening(code: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeInt32BE(8);
  buffer.writeInt32BE(code, 4);
  return buffer;
}

const SESSION = Buffer.concat([
  opening(80_877_103),
  opening(196_608),
  message('Q', 'SELECT 1\0'),
  message('P', '\0SELECT $1\0'),
  message('B', '\0\0\0\0'),
  message('D', 'P\0'),
  message('E', '\0\0\0\0\0'),
  message('S', ''),
  message('P', 'kept\0UPDATE é\0'),
  message('B', 'portal\0kept\0'),
  message('E', 'portal\0\0\0\0\0'),
  message('B', '\0kept\0'),
  message('E', '\0\0\0\0\0'),
  message('X', ''),
]);

test.each([1, 3, 7, SESSION.length])('reports each executed statement once, in pieces of %i bytes', (size) => {
  const statements: string[] = [];
  const reader = new StatementReader((sql) => statements.push(sql));
  for (let from = 0; from < SESSION.length; from += size) reader.take(SESSION.subarray(from, from + size));
  expect(statements).toEqual(['SELECT 1', 'SELECT $1', 'UPDATE é', 'UPDATE é']);
});
