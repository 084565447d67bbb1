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

/** Options that depend on the connection and on other inputs: they are loaded while somebody fills in a form. */
export interface LoadedOptions {
  load: true;
  /** Keys of the fields that the options depend on. */
  dependsOn?: string[];
}

/** A field of an app. Fields of triggers and questions have no loaded options. */
export interface InputField extends Omit<Field, 'options'> {
  options?: FieldOption[] | LoadedOptions;
}

/** Empty if the options are loaded, or if there are none. */
export function fixedOptions(options: InputField['options']): readonly FieldOption[] {
  return Array.isArray(options) ? options : [];
}

export function isLoaded(options: InputField['options']): options is LoadedOptions {
  return options !== undefined && !Array.isArray(options);
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
