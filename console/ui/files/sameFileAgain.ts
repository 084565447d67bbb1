import type { MouseEvent } from 'react';

/** For the input of a `FileButton`: a file that was corrected is chosen again, which a browser takes for no change. */
export const SAME_FILE_AGAIN = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  },
};
