export const NODE_ID = /^[A-Za-z0-9_-]{1,64}$/;
