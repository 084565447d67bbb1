import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Passes on files that are dropped anywhere on the page; outside of a field the browser would open them and leave the
 * page. Returns whether files are being dragged over the page.
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
