import type { Field } from '../../ui/form/FieldForm.tsx';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

const name: Field = { key: 'name', label: words.name, type: 'text', required: true };
const description: Field = { key: 'description', label: words.description, type: 'longText', required: false };
const embedding: Field[] = [
  {
    key: 'embeddingProvider',
    label: words.provider,
    type: 'select',
    required: false,
    options: [
      { value: 'openai', label: words.providers.openai },
      { value: 'local', label: words.providers.local },
    ],
  },
  { key: 'embeddingModel', label: words.model, type: 'text', required: false },
  { key: 'dimensions', label: words.dimensions, type: 'number', required: false },
];
const chunking: Field[] = [
  { key: 'chunkSize', label: words.chunkSize, type: 'number', required: false, help: words.chunkHelp },
  { key: 'chunkOverlap', label: words.chunkOverlap, type: 'number', required: false },
];

/** What a new base is asked for; what is left empty is as the deployment has it. */
export const createFields = (): Field[] => [name, description, ...embedding, ...chunking];

/** What of a base can change: how it is embedded only while it is empty. */
export const settingsFields = (isEmpty: boolean): Field[] => [
  name,
  { key: 'slug', label: words.slug, type: 'text', required: true, help: words.slugHelp },
  description,
  ...(isEmpty ? embedding : []),
  ...chunking,
];
