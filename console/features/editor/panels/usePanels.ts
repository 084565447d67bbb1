import { useCallback, useMemo, useRef, useState } from 'react';
import { browserTexts, STORED, writeIfRoom } from '../../../app/storage/browserStorage.ts';
import { NARROW } from '../../../ui/narrow.ts';

export type PanelName = 'palette' | 'form';

interface KeptPanels {
  open: Record<PanelName, boolean>;
  /** Pixels. */
  widths: Record<PanelName, number>;
}

export const PANEL_WIDTHS = { palette: { min: 150, preset: 208, max: 400 }, form: { min: 260, preset: 352, max: 720 } };

export interface Panels {
  isOpen: Record<PanelName, boolean>;
  toggle: (name: PanelName) => void;
  /** Opens a panel for the moment: a closed form opens for a node and closes when the node is left. */
  show: (name: PanelName) => void;
  /** Closes a form that was opened for a node alone. */
  leaveNode: () => void;
}

/** Tracks which panels are open. Their state is kept in this browser. `needsForm`: a closed form is shown at first. */
export function usePanels(needsForm: boolean): Panels {
  const [open, setOpen] = useState(() => readPanels().open);
  const [isPeeking, setPeeking] = useState(needsForm);
  const form = open.form || isPeeking;
  const now = useRef({ open, form });
  now.current = { open, form };
  const keep = useCallback((name: PanelName, value: boolean) => {
    const next = { ...now.current.open, [name]: value };
    setOpen(next);
    writePanels({ open: next });
  }, []);
  const toggle = useCallback(
    (name: PanelName) => {
      const isShown = name === 'form' ? now.current.form : now.current.open.palette;
      setPeeking(false);
      keep(name, !isShown);
    },
    [keep],
  );
  const show = useCallback(
    (name: PanelName) => {
      if (name === 'form') setPeeking(true);
      else if (!now.current.open.palette) keep('palette', true);
    },
    [keep],
  );
  const leaveNode = useCallback(() => setPeeking(false), []);
  return useMemo(
    () => ({ isOpen: { palette: open.palette, form }, toggle, show, leaveNode }),
    [open.palette, form, toggle, show, leaveNode],
  );
}

export function readPanels(): KeptPanels {
  const isNarrow = window.matchMedia(NARROW).matches;
  const kept = parsed(browserTexts().getItem(STORED.panels.key));
  const widthOf = (name: PanelName) => withinBounds(name, kept.widths?.[name] ?? PANEL_WIDTHS[name].preset);
  return {
    open: { palette: kept.open?.palette ?? !isNarrow, form: kept.open?.form ?? true },
    widths: { palette: widthOf('palette'), form: widthOf('form') },
  };
}

export function writePanels(changed: Partial<KeptPanels>): void {
  writeIfRoom(browserTexts(), STORED.panels.key, JSON.stringify({ ...readPanels(), ...changed }));
}

export function withinBounds(name: PanelName, width: number): number {
  const { min, max } = PANEL_WIDTHS[name];
  return Math.min(Math.max(Math.round(width), min), max);
}

function parsed(text: string | null): Partial<KeptPanels> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Written by another version: not usable.
    return {};
  }
}
