import { alsoPut } from './alsoPut.mjs';

/** What redocly does to the document when it bundles it. */
export default function perdure() {
  return { id: 'perdure', decorators: { oas3: { 'also-put': alsoPut } } };
}
