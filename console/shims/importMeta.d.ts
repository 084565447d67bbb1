interface ImportMeta {
  /** Vite replaces the call by the texts of the files that match, by path. */
  glob(patterns: readonly string[], options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
}
