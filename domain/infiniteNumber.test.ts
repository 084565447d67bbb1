import { expect, test } from '@jest/globals';
import { infiniteNumberAt } from './infiniteNumber.ts';

test.each([
  ['1e999', ''],
  ['{"a":[1,{"b c":-1E+400}]}', 'a[1]["b c"]'],
  ['{"a":1e0000000309}', 'a'],
  [`[${'9'.repeat(310)}]`, '[0]'],
  [`[${'9'.repeat(300)}e9]`, '[0]'],
  ['{"a":1e308,"b":1e-999,"c":"1e999"}', undefined],
  [`{"a":0.${'1'.repeat(400)}}`, undefined],
  ['{"a":null,"b":[]}', undefined],
])('%s: %s', (text, path) => {
  expect(infiniteNumberAt(text, JSON.parse(text))).toBe(path);
});
