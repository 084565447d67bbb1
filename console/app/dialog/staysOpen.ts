/** For a `Modal`: while it works, a slip does not close it, since what it says then would be lost. */
export const staysOpen = (isBusy: boolean) => ({ closeOnEscape: !isBusy });
