import { expect, test } from '@jest/globals';
import { settingsChange, settingsForm } from './workflowSettings.ts';

const stored = { id: 'w', name: 'Expense', isActive: true, description: null, maxConcurrent: 5, timeoutMs: 5_400_000 };

test('a timeout is shown in the largest unit that fits it exactly', () => {
  expect(settingsForm(stored)).toMatchObject({ timeout: 90, unitMs: 60_000, maxConcurrent: 5, description: '' });
  expect(settingsForm({ ...stored, timeoutMs: 1_500 })).toMatchObject({ timeout: 1.5, unitMs: 1_000 });
  expect(settingsForm({ ...stored, timeoutMs: 172_800_000 })).toMatchObject({ timeout: 2, unitMs: 86_400_000 });
});

test('a tool has a description, and a name only if one was typed', () => {
  const form = settingsForm(stored);
  const typed = { ...form, isTool: true, toolDescription: ' Pays ' };
  expect(settingsChange(form, typed)).toEqual({ exposeAsTool: { description: 'Pays' } });
  const exposed = settingsForm({ ...stored, exposeAsTool: { name: 'pay', description: 'Pays' } });
  expect(exposed).toMatchObject({ isTool: true, toolName: 'pay', toolDescription: 'Pays' });
  expect(settingsChange(exposed, exposed)).toEqual({});
  expect(settingsChange(exposed, { ...exposed, isTool: false })).toEqual({ exposeAsTool: null });
});

test('only what was changed is sent; what is empty is no limit', () => {
  const form = settingsForm(stored);
  expect(settingsChange(form, form)).toEqual({});
  expect(settingsChange(form, { ...form, timeout: 1.5, unitMs: 3_600_000 })).toEqual({});
  expect(
    settingsChange(form, { ...form, isActive: false, maxConcurrent: '', timeout: 2, description: 'So', name: ' New ' }),
  ).toEqual({ isActive: false, name: 'New', description: 'So', maxConcurrent: null, timeoutMs: 120_000 });
});
