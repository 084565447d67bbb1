import { autocompletion, type Completion as Option } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';

/** Something that may be written at a place of a text. */
export interface Completion {
  label: string;
  /** What is put in place of what was typed, where it is not the label. */
  apply?: string;
  detail?: string;
  kind: 'variable' | 'property' | 'function';
}

export interface Completions {
  /** Where what they replace begins. */
  from: number;
  options: Completion[];
}

export type Complete = (text: string, position: number) => Completions | undefined;

export function completingField(complete: Complete): Extension {
  return autocompletion({
    icons: false,
    // Enter has no other use in a field.
    interactionDelay: 0,
    override: [
      ({ state, pos }) => {
        const found = complete(state.doc.toString(), pos);
        if (found === undefined || found.options.length === 0) return null;
        return { from: found.from, options: found.options.map(asOption), validFor: /^[A-Za-z0-9_]*$/ };
      },
    ],
  });
}

function asOption({ label, apply, detail, kind }: Completion): Option {
  const option = { label, type: kind, ...(detail === undefined ? {} : { detail }) };
  if (apply === undefined) return option;
  return {
    ...option,
    apply(view, _, from, to) {
      // Brackets take the place of the dot before them.
      const begin = apply.startsWith('[') ? from - 1 : from;
      view.dispatch({ changes: { from: begin, to, insert: apply }, selection: { anchor: begin + apply.length } });
    },
  };
}
