import { expect, test } from '@jest/globals';
import { EnvironmentFill } from '../environmentFill.ts';
import type { Applied } from '../planOf.ts';
import { maskedPlan } from './maskedPlan.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: as files hold them
const fill = new EnvironmentFill({ TOKEN: 'new-token', PIN: '42' }, new Set(['TOKEN', 'PIN']));
const place = { file: 'a.yaml', path: 'a' };
const header = fill.text({ ...place, text: 'Bearer ${env:TOKEN}' }).text;
fill.text({ ...place, text: '${env:PIN}' });
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as files hold them

const shown = (from: unknown, to: unknown) => {
  const changes = [{ path: 'a', from, to }];
  const { plan } = maskedPlan({ plan: [{ changes }] } as unknown as Applied, fill.values);
  return [plan[0]?.changes[0]?.from, plan[0]?.changes[0]?.to];
};

test('masks a value of the environment, and the older value that it replaces', () => {
  expect(shown('Bearer old-token', header)).toEqual(['***', 'Bearer ***']);
  expect(shown({ headers: ['Bearer old-token'] }, { headers: [header] })).toEqual(['***', { headers: ['Bearer ***'] }]);
  expect(shown(header, `${header}!`)).toEqual(['Bearer ***', 'Bearer ***!']);
  expect(shown(null, header)).toEqual([null, 'Bearer ***']);
});

test('leaves other values as they are; a short value is masked only where it is filled in', () => {
  expect(shown('a', 'b')).toEqual(['a', 'b']);
  expect(shown('a 42', 'b 42')).toEqual(['a 42', 'b 42']);
  expect(shown('41', '42')).toEqual(['***', '***']);
});
