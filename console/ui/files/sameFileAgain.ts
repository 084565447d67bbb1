import type { MouseEvent } from 'react';

/** For the input of a `FileButton`: browsers ignore the same file again, for example after a correction. */
export const SAME_FILE_AGAIN = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  },
};
