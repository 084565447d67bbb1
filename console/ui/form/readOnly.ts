import { createContext, useContext } from 'react';

/** Provided by forms that cannot always be changed. */
export const ReadOnly = createContext(false);

export const useIsReadOnly = (): boolean => useContext(ReadOnly);
