type LayOut = typeof import('./graphLayout.ts').graphLayout;

let loaded: Promise<LayOut> | undefined;

/** Returns the same promise after the first call, as `use` requires. */
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
