import { alsoPut } from './alsoPut.mjs';

/** The changes that redocly makes to the document when it bundles it. */
export default function perdure() {
  return { id: 'perdure', decorators: { oas3: { 'also-put': alsoPut } } };
}
