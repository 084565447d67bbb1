import type { JsonObject } from '../../domain/json.ts';
import { brokenBody, tooManyParts } from './brokenBody.ts';
import { FormFields } from './formFields.ts';

/** Throws 400 and 413 Problems. */
export function parseForm(text: string, maxFields: number): JsonObject {
  const form = new FormFields();
  let at = 0;
  let count = 0;
  for (const pair of text.split('&')) {
    if (pair !== '') {
      count += 1;
      if (count > maxFields) throw tooManyParts(maxFields);
      const mark = pair.indexOf('=');
      const [name, value] = mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
      form.add(decoded(name, at), decoded(value, at + name.length + 1));
    }
    at += pair.length + 1;
  }
  return form.fields;
}

/** `at`: position of the text in the body, for its problem. */
function decoded(text: string, at: number): string {
  const broken = /%(?![0-9a-f]{2})/i.exec(text);
  if (broken) {
    throw brokenBody('', `expected two hexadecimal digits after % at character ${at + broken.index + 1}`);
  }
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw brokenBody('', `the percent-encoded bytes from character ${at + 1} on are not UTF-8`, error);
  }
}
