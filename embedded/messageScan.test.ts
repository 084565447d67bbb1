import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MessageScan } from './messageScan.ts';
import { messageOf } from './protocolMessage.ts';

test('the messages with a letter are found whole and in order, however the answers are cut into pieces', () => {
  const one = fc.tuple(fc.constantFrom('A', 'D', 'C', 'Z'), fc.uint8Array({ maxLength: 40 }));
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (all, cuts) => {
        const messages = all.map(([letter, body]) => messageOf(letter, Buffer.from(body)));
        const stream = Buffer.concat(messages);
        const scan = new MessageScan('A');
        const found: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % cuts.length] as number;
          found.push(...scan.add(stream.subarray(at, at + size)));
          at += size;
        }
        expect(found).toEqual(messages.filter((each) => each[0] === 'A'.charCodeAt(0)));
      },
    ),
  );
});
