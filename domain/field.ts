import type { Json } from './json.ts';

/** A form field of an input node, a manual trigger or an action's inputConfig. */
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
