import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import type { PlannedField } from './operationPlan.ts';
import { pairsOf } from './parameterText.ts';

export interface Part {
  name: string;
  text: string;
  /** Absent for plain text. */
  contentType?: string | undefined;
}

const JSON_TYPE = 'application/json';

/** A list has a part for each value, unless the document asks for JSON or for one text. Throws UnsendableValue. */
export function partsOf(field: PlannedField, value: Json): Part[] {
  const { name, style } = field;
  const { contentType, isJson, explode } = style;
  const json = (one: Json): Part => ({ name, text: JSON.stringify(one), contentType: contentType ?? JSON_TYPE });
  if (isJson && typeof value === 'object') return [json(value)];
  if (Array.isArray(value) && explode && value.some((each) => typeof each === 'object')) return value.map(json);
  return pairsOf(field, value).map(([one, text]) => ({ name: one, text, contentType }));
}

/** By RFC 7578. The same parts give the same text, so a retry sends the same bytes. */
export function multipartBody(parts: readonly Part[]): { contentType: string; text: string } {
  // No part can contain a hash of itself.
  const boundary = `perdure-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;
  const texts = parts.map(({ name, text, contentType }) => {
    const type = contentType === undefined ? '' : `content-type: ${contentType}\r\n`;
    return `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"\r\n${type}\r\n${text}\r\n`;
  });
  return { contentType: `multipart/form-data; boundary=${boundary}`, text: `${texts.join('')}--${boundary}--\r\n` };
}

/** As browsers write names. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
