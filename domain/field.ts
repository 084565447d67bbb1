import type { Json } from './json.ts';

export interface Field {
  key: string;
  label: string;
  type: FieldType;
  required: boolean;
  default?: Json;
  options?: FieldOption[];
  help?: string;
}

export interface FieldOption {
  value: string;
  label: string;
}

export const FIELD_TYPES = [
  'text',
  'longText',
  'number',
  'boolean',
  'date',
  'select',
  'multiSelect',
  'json',
  'secret',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
