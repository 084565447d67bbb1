import { ATTRIBUTE, type ColumnKey } from './objectColumns.ts';
import type { ObjectType } from './queries.ts';
import { labelOf, propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

const FIXED: Record<string, string> = OBJECTS.columns;

export function columnLabel({ attributeSchema }: ObjectType, key: ColumnKey): string {
  if (!key.startsWith(ATTRIBUTE)) return FIXED[key] ?? key;
  const name = key.slice(ATTRIBUTE.length);
  return labelOf(name, propertiesOf(attributeSchema).find(([each]) => each === name)?.[1]);
}
