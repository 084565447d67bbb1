type LayOut = typeof import('./graphLayout.ts').graphLayout;

let loaded: Promise<LayOut> | undefined;

/**
 * Loads the layout code for the first graph without positions. Returns the same promise afterwards, as `use` requires.
 */
export function loadLayout(): Promise<LayOut> {
  loaded ??= import('./graphLayout.ts').then(
    ({ graphLayout }) => graphLayout,
    (error: unknown) => {
      loaded = undefined;
      throw error;
    },
  );
  return loaded;
}

export type { LayOut };
