import { expect, test } from '@jest/globals';
import { metadataFilter } from './metadataFilter.ts';

test.each([
  ['', {}],
  ['topic=payment', { topic: 'payment' }],
  ['topic=payment, year=2026,isOld=false', { topic: 'payment', year: 2026, isOld: false }],
  ['year="2026"', { year: '2026' }],
  ['expression=a=b', { expression: 'a=b' }],
  ['topic', undefined],
  ['=payment', undefined],
])('%j is the filter %j', (text, filter) => {
  expect(metadataFilter(text)).toEqual(filter);
});
