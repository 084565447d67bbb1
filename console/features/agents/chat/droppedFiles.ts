import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes files dropped anywhere on the page, which the browser would open. Returns whether files are dragged over it.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer, relatedTarget, type } = event;
    if (dataTransfer === null || !dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    if (type === 'drop') onFiles([...dataTransfer.files]);
    // A dragleave with a related target only enters another element of the page.
    setOver(type === 'dragover' || (type === 'dragleave' && relatedTarget !== null));
  });
  useEffect(() => {
    const listening = new AbortController();
    for (const type of ['dragover', 'dragleave', 'drop'] as const) {
      addEventListener(type, (event) => onDrag(event), { signal: listening.signal });
    }
    return () => listening.abort();
  }, []);
  return isOver;
}
