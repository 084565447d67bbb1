import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Gives files that are dropped anywhere on the page: beside a field the browser would open them, and the page would be gone.
 * Whether some are held over it now.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer, relatedTarget, type } = event;
    if (dataTransfer === null || !dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    if (type === 'drop') onFiles([...dataTransfer.files]);
    // Leaving for another part of the page is no leaving.
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
