/** The methods that a request may have. CONNECT and TRACE are for proxies and for debugging them. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
