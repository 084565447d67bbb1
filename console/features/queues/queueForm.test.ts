import { expect, test } from '@jest/globals';
import { queueChange, queueForm, schemaIn } from './queueForm.ts';

const queue = {
  ...{ id: '01935b1e-7c00-7c4f-8d6a-000000000006', name: 'Refunds', slug: 'refunds', description: null },
  ...{ priority: 0, isActive: true, maxRetries: 3, retryDelayMinutes: 5, batchSize: 10, maxConcurrent: 1 },
};

test('only settings of a queue that were changed are sent; an empty description is none', () => {
  const before = queueForm(queue);
  expect(queueChange(before, { ...before, name: ' Refunds ', description: '  ' })).toEqual({});
  expect(queueChange(before, { ...before, maxRetries: 0, retryDelayMinutes: 0.5, isActive: false })).toEqual({
    maxRetries: 0,
    retryDelayMinutes: 0.5,
    isActive: false,
  });
  const described = queueForm({ ...queue, description: 'Money back' });
  expect(queueChange(described, { ...described, description: '' })).toEqual({ description: null });
});

test('a schema is sent as JSON, and removed by an empty text', () => {
  const before = queueForm(queue);
  expect(queueChange(before, { ...before, dataSchema: '{"type": "object"}' })).toEqual({
    dataSchema: { type: 'object' },
  });
  const checked = queueForm({ ...queue, dataSchema: { type: 'object' } });
  expect(queueChange(checked, checked)).toEqual({});
  expect(queueChange(checked, { ...checked, dataSchema: ' ' })).toEqual({ dataSchema: null });
  expect(schemaIn({ ...checked, dataSchema: '[]' })).toBeUndefined();
});

test('a number or a slug that is empty is not sent', () => {
  const before = queueForm(queue);
  expect(queueChange(before, { ...before, batchSize: '', slug: '' })).toEqual({});
});
