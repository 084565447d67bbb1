import { ATTRIBUTE, type ColumnKey } from '../../data/objectColumns.ts';
import type { ObjectType } from '../../data/objects.ts';
import { labelOf, propertiesOf } from '../../data/schemaFields.ts';
import { OBJECTS } from '../../words/en/objects.ts';

const FIXED: Record<string, string> = OBJECTS.columns;

/** What a column of the table of entities is called. */
export function columnLabel({ attributeSchema }: ObjectType, key: ColumnKey): string {
  if (!key.startsWith(ATTRIBUTE)) return FIXED[key] ?? key;
  const name = key.slice(ATTRIBUTE.length);
  return labelOf(name, propertiesOf(attributeSchema).find(([each]) => each === name)?.[1]);
}
