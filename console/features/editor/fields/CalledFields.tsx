import { useQuery } from '@tanstack/react-query';
import { isUuid } from '../../../../domain/isUuid.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { useMay } from '../../../app/api/me.ts';
import { startFields } from '../editing/queries.ts';
import { MissingFields } from './MissingFields.tsx';

interface CalledFieldsProps {
  inputs: JsonObject | undefined;
  onChange: (input: Json) => void;
}

export function CalledFields({ inputs = {}, onChange }: CalledFieldsProps) {
  const may = useMay();
  const { workflowId, input = {} } = inputs;
  const isKnown = typeof workflowId === 'string' && isUuid(workflowId);
  const { data = [] } = useQuery({ ...startFields(String(workflowId)), enabled: isKnown && may('workflows:read') });
  if (!isKnown || !isJsonObject(input)) return null;
  return <MissingFields member="input" value={input} fields={data} onChange={onChange} />;
}
