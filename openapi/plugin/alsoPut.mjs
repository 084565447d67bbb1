/** Adds PUT to each path with `x-also: put`: the same operation with its own operationId. */
export function alsoPut() {
  return {
    Root: {
      leave(root) {
        for (const [path, item] of Object.entries(root.paths)) {
          const [method, operation] = Object.entries(item).find(([, each]) => each['x-also'] !== undefined) ?? [];
          if (operation === undefined) continue;
          if (operation['x-also'] !== 'put' || item.put)
            throw new Error(`${path}: x-also can only be a PUT that is not there`);
          delete operation['x-also'];
          item.put = {
            ...structuredClone(operation),
            // The table of operations and its types know an operation of this name as the same one.
            operationId: `${operation.operationId}ByPut`,
            summary: `${operation.summary} (the same as ${method.toUpperCase()})`,
            'x-same-as': operation.operationId,
          };
        }
      },
    },
  };
}
