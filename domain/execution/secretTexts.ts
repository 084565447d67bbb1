import { isJsonObject, type Json } from '../json.ts';
import type { TriggerNode } from '../workflow/definition.ts';

/** Returns the texts in `values` for fields of the type `secret`. `fields` are unchecked declarations. */
export function secretTexts(fields: unknown, values: Json | undefined): string[] {
  if (!Array.isArray(fields) || !isJsonObject(values)) return [];
  return fields.flatMap((field: unknown) => {
    const { type, key } = (field ?? {}) as { type?: unknown; key?: unknown };
    const value = type === 'secret' && Object.hasOwn(values, String(key)) ? values[String(key)] : null;
    const text = value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    return text === '' ? [] : [text];
  });
}

export function triggerSecrets({ type, config }: TriggerNode, values: Json | undefined): string[] {
  return type === 'manual' ? secretTexts(config.fields, values) : [];
}
