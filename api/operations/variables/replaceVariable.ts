import type { Operation } from '../../operation.ts';
import { updateVariable } from './updateVariable.ts';

/** PUT is PATCH (decisions.md 1). */
export const replaceVariable: Operation<'replaceVariable'> = (request) => updateVariable(request);
