type LayOut = typeof import('./graphLayout.ts').graphLayout;

let loaded: Promise<LayOut> | undefined;

/** What lays graphs out. Loaded for the first graph that nobody has placed: the same promise from then on. */
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
