import { useQuery } from '@tanstack/react-query';
import { holdsExpression } from '../../../../domain/expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { useMay } from '../../../app/api/me.ts';
import { typeBySlug } from '../../entities/queries.ts';
import { schemaFields } from '../../entities/schemaFields.ts';
import { MissingFields } from './MissingFields.tsx';

interface AttributeFieldsProps {
  inputs: JsonObject | undefined;
  onChange: (attributes: Json) => void;
}

export function AttributeFields({ inputs = {}, onChange }: AttributeFieldsProps) {
  const may = useMay();
  const { objectTypeSlug: slug, attributes = {} } = inputs;
  const isKnown = typeof slug === 'string' && slug !== '' && !holdsExpression(slug);
  const { data } = useQuery({ ...typeBySlug(String(slug)), enabled: isKnown && may('objects:read') });
  if (!isKnown || data === undefined || !isJsonObject(attributes)) return null;
  const fields = schemaFields(data.attributeSchema);
  return <MissingFields member="attributes" value={attributes} fields={fields} onChange={onChange} />;
}
