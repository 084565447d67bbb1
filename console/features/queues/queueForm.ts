import type { components } from 'perdure-client';
import { jsonText, parsedObject } from '../../ui/code/jsonText.ts';
import type { QueueSettingsRead } from './queries.ts';

export type QueueChange = components['schemas']['QueueUpdate'];

export const NUMBERS = ['maxRetries', 'retryDelayMinutes', 'priority', 'batchSize', 'maxConcurrent'] as const;
export type QueueNumber = (typeof NUMBERS)[number];

export const BOUNDS: Record<QueueNumber, { min: number; max: number; allowDecimal: boolean }> = {
  maxRetries: { min: 0, max: 1_000, allowDecimal: false },
  retryDelayMinutes: { min: 0, max: 525_600, allowDecimal: true },
  priority: { min: -1_000_000, max: 1_000_000, allowDecimal: false },
  batchSize: { min: 1, max: 500, allowDecimal: false },
  maxConcurrent: { min: 1, max: 1_000, allowDecimal: false },
};

/** An empty number is not sent. */
export type QueueForm = {
  isActive: boolean;
  name: string;
  slug: string;
  description: string;
  /** JSON; an empty text for any data. */
  dataSchema: string;
} & Record<QueueNumber, number | ''>;

export function queueForm(queue: QueueSettingsRead): QueueForm {
  const { isActive, name, slug = '', description, priority, dataSchema } = queue;
  const { maxRetries = '', retryDelayMinutes = '', batchSize = '', maxConcurrent = '' } = queue;
  return {
    ...{ isActive, name, slug, description: description ?? '' },
    dataSchema: dataSchema ? jsonText(dataSchema) : '',
    ...{ priority, maxRetries, retryDelayMinutes, batchSize, maxConcurrent },
  };
}

export function queueChange(before: QueueForm, form: QueueForm): QueueChange {
  const [was, is] = [stored(before), stored(form)];
  const changed = Object.entries(is).filter(([key, value]) => was[key as keyof QueueChange] !== value);
  const schema = form.dataSchema === before.dataSchema ? {} : { dataSchema: schemaIn(form) ?? null };
  return { ...Object.fromEntries(changed), ...schema };
}

/** Returns the schema, null for none; undefined if the text is no JSON object. */
export function schemaIn({ dataSchema }: QueueForm): Record<string, unknown> | null | undefined {
  return dataSchema.trim() === '' ? null : parsedObject(dataSchema);
}

function stored({ isActive, name, slug, description, dataSchema: _, ...numbers }: QueueForm): QueueChange {
  return {
    isActive,
    name: name.trim(),
    ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
    description: description.trim() === '' ? null : description,
    ...Object.fromEntries(NUMBERS.flatMap((key) => (numbers[key] === '' ? [] : [[key, numbers[key]]]))),
  };
}
