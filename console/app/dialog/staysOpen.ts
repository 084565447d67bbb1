/** Props of a `Modal` that Escape must not close while it works: its result would be lost. */
export const staysOpen = (isBusy: boolean) => ({ closeOnEscape: !isBusy });
