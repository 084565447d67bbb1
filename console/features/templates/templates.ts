import { templatesOf } from './templatesOf.ts';

/** The examples of the package, from the files at the build. */
export const TEMPLATES = templatesOf(
  import.meta.glob(['../../../examples/*/README.md', '../../../examples/*/*/*.yaml'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);
