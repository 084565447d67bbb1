/** Whether what was asked may have been done all the same: nobody answered (0), or something before the API. */
export const isUnanswered = (status: number) => status === 0 || status >= 502;
