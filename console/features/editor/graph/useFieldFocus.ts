import { type RefObject, useCallback, useRef } from 'react';
import { failed } from '../../../ui/notices.tsx';
import type { PlacedProblem } from '../model/placedProblems.ts';

export type CodeSpot = NonNullable<PlacedProblem['spot']>;

const CODE = '.cm-content';
const WRITABLE = `input:not([type="hidden"]), select, textarea, ${CODE}, button`;
const MAX_WAIT_MS = 3_000;

/** Moves the focus to a field of the form, and in code to a line and column. */
export function useFieldFocus(form: RefObject<HTMLElement | null>) {
  const wanted = useRef<{ field: string }>(undefined);
  const focusField = useCallback(
    (field: string, spot?: CodeSpot | undefined) => {
      const own = { field };
      wanted.current = own;
      const start = performance.now();
      const look = () => {
        if (wanted.current !== own) return;
        const element =
          form.current === null ? undefined : fieldElement(form.current, field, spot === undefined ? WRITABLE : CODE);
        if (element === undefined) {
          // Forms and their fields load when they are first shown.
          if (performance.now() - start < MAX_WAIT_MS) requestAnimationFrame(look);
          return;
        }
        wanted.current = undefined;
        if (spot !== undefined) return void goTo(element, spot).catch(failed);
        element.focus();
        element.scrollIntoView({ block: 'nearest' });
      };
      requestAnimationFrame(look);
    },
    [form],
  );
  return { focusField };
}

async function goTo(element: HTMLElement, spot: CodeSpot): Promise<void> {
  const { goToSpot } = await import('../../../ui/code/goToSpot.ts');
  goToSpot(element, spot);
}

/** Finds the element to focus for a field: the most specific enclosing one, or the first in the form. */
function fieldElement(form: HTMLElement, field: string, writable: string): HTMLElement | undefined {
  const holds = (place: string) =>
    field === place || (field.startsWith(place) && /^[.[]/.test(field.slice(place.length)));
  const places = [...form.querySelectorAll<HTMLElement>('[data-field]')].filter(({ dataset }) =>
    holds(dataset.field ?? ''),
  );
  const longest = places.sort((a, b) => (b.dataset.field ?? '').length - (a.dataset.field ?? '').length)[0];
  const place = longest ?? form;
  place.closest('details')?.setAttribute('open', '');
  if (longest?.matches(writable)) return longest;
  const own = place.querySelector<HTMLElement>(longest === undefined ? writable.replace(', button', '') : writable);
  return own ?? undefined;
}
