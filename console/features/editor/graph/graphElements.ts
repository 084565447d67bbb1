import type { DragEvent } from 'react';
import type { Definition } from '../../../../domain/workflow/definition.ts';

export function isWithin(element: Element, frame: Element): boolean {
  const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

export function edgeAt(
  { clientX, clientY }: DragEvent,
  edges: Definition['edges'],
): Definition['edges'][number] | undefined {
  const elements = document.elementsFromPoint(clientX, clientY);
  const id = elements
    .map((one) => one.closest('.react-flow__edge'))
    .find((one) => one !== null)
    ?.getAttribute('data-id');
  return edges.find((edge) => edge.id === id);
}

export function nodeIdOf(element: EventTarget): string | undefined {
  if (!(element instanceof Element) || !element.classList.contains('react-flow__node')) return undefined;
  return element.getAttribute('data-id') ?? undefined;
}
