import type { CompletionContext } from '@codemirror/autocomplete';
import { javascriptLanguage, localCompletionSource, scopeCompletionSource } from '@codemirror/lang-javascript';
import type { Extension } from '@codemirror/state';

/** The language, with completion of local variables, and of these names and their members. */
export function javascriptWith(namesNow: () => Readonly<Record<string, unknown>>): Extension[] {
  const complete = (context: CompletionContext) =>
    // Without a prototype, so that the list has no members of Object.
    scopeCompletionSource(Object.assign(Object.create(null), namesNow()))(context);
  return [
    javascriptLanguage,
    javascriptLanguage.data.of({ autocomplete: complete }),
    javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
  ];
}
