import { templatesOf } from './templatesOf.ts';

/** The examples of the package, from the files at the build. `ci` is about pipelines and needs variables. */
export const TEMPLATES = templatesOf(
  import.meta.glob(['../../../examples/*/README.md', '../../../examples/*/*/*.yaml', '!../../../examples/ci/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);
