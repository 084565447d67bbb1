import type { MouseEvent } from 'react';

/**
 * Props for the input of a `FileButton`: browsers ignore a second choice of the same file, for example after a
 * correction.
 */
export const SAME_FILE_AGAIN = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  },
};
