import { expect, test } from '@jest/globals';
import { storableText } from './storableJson.ts';

test.each([
  ['plain ä€🙂', 'plain ä€🙂'],
  ['a\0b', 'a\ufffdb'],
  ['\ud83d!', '\ufffd!'],
  ['!\ude42', '!\ufffd'],
  ['\ude42\ud83d', '\ufffd\ufffd'],
  ['\ud83d\ud83d\ude42\ude42', '\ufffd🙂\ufffd'],
])('%j is kept as %j', (text, kept) => {
  expect(storableText(text)).toBe(kept);
});
