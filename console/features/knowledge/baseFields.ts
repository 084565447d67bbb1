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

/** Fields of a new base. The deployment's defaults replace empty ones. */
export const createFields = (): Field[] => [name, description, ...embedding, ...chunking];

/** Fields that can change. The embedding is fixed once the base contains documents. */
export const settingsFields = (isEmpty: boolean): Field[] => [
  name,
  { key: 'slug', label: words.slug, type: 'text', required: true, help: words.slugHelp },
  description,
  ...(isEmpty ? embedding : []),
  ...chunking,
];
